// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.FieldDeclaration.Kind;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.EnumNames;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.RandomTables;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/// `docs/reference/coverage.md` says of all that `format/*.fbs` declares what Fletch does with it:
/// each cell is found by asking the code.
///
/// Written anew with `-Dfletch.docs.write=true`.
class CoveragePageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("basedir", "")).resolve("docs/reference/coverage.md");

    private static final String INTRODUCTION =
            """
            # Coverage

            What Fletch does with each table, field, enum value and type that `format/*.fbs` declare. A test finds the
            cells by running the code, and writes this page.

            ## Tables and fields

            *Read*: a flyweight has an accessor, which tests compare with flatc's. *Verified*: the verifier checks the field.
            *Written*: `TableEncoder` writes each field, and tests compare its bytes with flatc's. *Shown*:
            `fletch annotate` names the field. Structs are verified and written as elements of their vectors.

            """;

    private static final String ENUMS =
            """

            ## Enums and unions

            *Named*: a constant has the value's name, which tests compare with the declaration. *Shown*: `fletch annotate`
            prints the name. Unions have the further value 0, `NONE`.

            """;

    private static final String TYPES =
            """

            ## Types

            Values of nested types are those of their children. *Buffers*: of metadata version V5. *Values*: the
            `ValueType` that `ColumnValues` reads. *JSON*: integration JSON has the type, and reads it again. *Vectors*:
            `VectorReader` loads a batch that Fletch wrote, of a file and of a stream; arrow-java has no vectors for the
            others. *Head*: what `fletch head --json` prints for buffers of zeros. *Rules of metadata*: the
            [rules](faults.md) that the metadata of a stream breaks once a number of it is changed while the column keeps its
            type; types that differ only in parameters share them. *Rules of values*: those that 2,000 random bodies break.
            "any": they break none, as all bytes are values. Null counts and the lengths of children are checked for all
            types.

            """;

    private static final Pattern VTABLE = Pattern.compile("vtable of (\\w+) at");
    private static final Pattern VECTOR = Pattern.compile("vector (\\w+), ");
    private static final Pattern SLOT = Pattern.compile("slot \\d+ (\\w+): at");
    private static final Pattern NUMBER = Pattern.compile("\\[\\d+]\\.(\\w+) \\(");
    private static final Pattern ABSENT =
            Pattern.compile("slot \\d+ (\\w+): absent, default (\\w+)");
    private static final Pattern SYMBOL = Pattern.compile("\\((\\w+)\\): -?\\d+ (\\w+)$");

    private static final Map<String, String> STRUCTS =
            Map.of(
                    "nodes", "FieldNode",
                    "buffers", "Buffer",
                    "dictionaries", "Block",
                    "recordBatches", "Block");

    /// So many random messages in a row without a new field or value end the search.
    private static final int WITHOUT_NEWS = 400;

    /// What `fletch annotate` names: "Table.field" and "Enum.name".
    private final Set<String> shown = new HashSet<>();

    @Test
    void pageSaysWhatTheCodeDoes() throws Exception {
        CaseCount.assumeFull();
        annotateSamples();
        StringBuilder page = new StringBuilder(INTRODUCTION);
        addTables(page);
        page.append(ENUMS);
        addEnums(page);
        page.append(TYPES);
        TypeCoverage.addRows(page);
        GoldenOutput.assertPage(PAGE, page.toString());
    }

    // ---- tables

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private void addTables(StringBuilder page) {
        page.append("| table or struct | fields | read | verified | written | shown |\n");
        page.append("|---|---|---|---|---|---|\n");
        for (TableDecl table : RandomTables.ARROW.tables()) {
            List<String> fields = table.fields().stream().map(FieldDecl::javaName).toList();
            row(
                    page,
                    "`" + table.name() + "`",
                    names(fields),
                    cell(fields, field -> hasAccessor(table.name(), field)),
                    cell(fields, field -> isDeclared(table, field)),
                    cell(fields, field -> isEncoded(table)),
                    cell(fields, field -> shown.contains(table.name() + "." + field)));
        }
        for (StructDecl struct : RandomTables.ARROW.structs()) {
            List<String> fields = struct.fields().stream().map(each -> each.javaName()).toList();
            row(
                    page,
                    "`" + struct.name() + "`",
                    names(fields),
                    cell(fields, field -> hasAccessor(struct.name(), field)),
                    "in vectors",
                    "in vectors",
                    cell(fields, field -> shown.contains(struct.name() + "." + field)));
        }
    }

    private static String names(List<String> fields) {
        return fields.isEmpty() ? "none" : String.join(", ", fields);
    }

    /// "yes" if all fields have a property, else those that lack it.
    private static String cell(List<String> fields, Predicate<String> has) {
        List<String> without = fields.stream().filter(has.negate()).toList();
        return fields.isEmpty()
                ? "–"
                : without.isEmpty() ? "yes" : "not " + String.join(", ", without);
    }

    /// A vector or text has several methods, whose names begin with the field's.
    private static boolean hasAccessor(String name, String field) {
        try {
            Method[] methods = Class.forName("dev.fletch.format." + name).getMethods();
            return Arrays.stream(methods)
                    .map(Method::getName)
                    .anyMatch(each -> each.matches(field + "(Count|String|Compare|Length)?"));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean isDeclared(TableDecl table, String field) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(table.name())).fields().stream()
                .map(FieldDeclaration::name)
                .anyMatch(field::equals);
    }

    /// The encoder has a method with a parameter for each field, besides the writer; or writes the
    /// table from a number for each.
    private static boolean isEncoded(TableDecl table) {
        return Arrays.stream(TableEncoder.class.getMethods())
                        .filter(each -> each.getName().equals("create" + table.name()))
                        .anyMatch(each -> each.getParameterCount() > table.fields().size())
                || isWrittenFromNumbers(table.name());
    }

    private static boolean isWrittenFromNumbers(String table) {
        FlatBufferWriter writer = new FlatBufferWriter();
        int target = TableEncoder.createEmpty(writer);
        long[] numbers =
                ArrowRules.SET.table(ArrowRules.SET.kind(table)).fields().stream()
                        .flatMapToLong(field -> numbers(field, target))
                        .toArray();
        return TableEncoder.create(writer, table, numbers) > target;
    }

    private static LongStream numbers(FieldDeclaration field, int target) {
        return field.isOffset()
                ? LongStream.of(target)
                : LongStream.generate(() -> 0)
                        .limit(field.kind() == Kind.STRUCT ? field.bytes() / Long.BYTES : 1);
    }

    // ---- enums

    private void addEnums(StringBuilder page) throws ReflectiveOperationException {
        page.append("| enum or union | values | named | shown |\n|---|---|---|---|\n");
        for (var each : RandomTables.ARROW.enums()) {
            addEnum(page, each.name(), each.values());
        }
        for (var each : RandomTables.ARROW.unions()) {
            addEnum(page, each.name(), each.members().subList(1, each.members().size()));
        }
    }

    private void addEnum(StringBuilder page, String name, List<Value> values)
            throws ReflectiveOperationException {
        EnumNames named =
                (EnumNames)
                        Class.forName("dev.fletch.format.ids." + name).getField("NAMES").get(null);
        List<String> names = values.stream().map(Value::name).toList();
        row(
                page,
                "`" + name + "`",
                String.join(", ", names),
                cell(names, value -> named.all().contains(value)),
                cell(names, value -> shown.contains(name + "." + value)));
    }

    // ---- what is shown

    private void annotateSamples() {
        for (TypeVariants each : TypeVariants.all()) {
            var schema = new TreeMap<String, FbsValue>();
            schema.put("fields", new FbsValue.Vector(List.of(each.field())));
            var message = new TreeMap<String, FbsValue>();
            message.put("header_type", new FbsValue.Number(MessageHeader.SCHEMA));
            message.put("header", new FbsValue.Table("Schema", schema));
            annotate(new FbsValue.Table("Message", message));
        }
        int last = 0;
        for (int seed = 0; seed - last < WITHOUT_NEWS; seed++) {
            int known = shown.size();
            byte[] message = Frames.padded(RandomTables.bytes("Message", seed), Long.BYTES);
            annotate(Frames.frame(message));
            if (seed % 8 == 0) {
                byte[] footer = RandomTables.bytes("Footer", seed);
                annotate(Frames.file(new byte[0], footer));
            }
            last = shown.size() > known ? seed : last;
        }
        System.out.printf("Coverage: annotate names %d fields and values%n", shown.size());
        assertTrue(shown.size() > 100);
    }

    private void annotate(FbsValue.Table message) {
        byte[] bytes = FbsValueWriter.write(RandomTables.ARROW, message, 1);
        annotate(Frames.frame(Frames.padded(bytes, Long.BYTES)));
    }

    private void annotate(byte[] input) {
        String table = "";
        String struct = "";
        for (String line : Cli.runWithInput(input, "annotate", "-").lines()) {
            Matcher vtable = VTABLE.matcher(line);
            Matcher vector = VECTOR.matcher(line);
            Matcher slot = SLOT.matcher(line);
            Matcher absent = ABSENT.matcher(line);
            Matcher number = NUMBER.matcher(line);
            Matcher symbol = SYMBOL.matcher(line);
            if (vtable.find()) {
                table = vtable.group(1);
            } else if (vector.find()) {
                struct = STRUCTS.getOrDefault(vector.group(1), "");
            } else if (slot.find()) {
                shown.add(table + "." + slot.group(1));
            } else if (absent.find()) {
                shown.add(enumOf(table, absent.group(1)) + "." + absent.group(2));
            } else if (number.find()) {
                shown.add(struct + "." + number.group(1));
            } else if (symbol.find()) {
                shown.add(symbol.group(1) + "." + symbol.group(2));
            }
        }
    }

    /// The type of a field, which is the enum's name if it is an enum.
    private static String enumOf(String table, String field) {
        return RandomTables.ARROW.table(table).fields().stream()
                .filter(each -> each.javaName().equals(field))
                .map(each -> each.type().spelling())
                .findFirst()
                .orElseThrow();
    }
}
