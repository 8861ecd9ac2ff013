// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ValueType;
import dev.fletch.format.Field;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.schema.SchemaJson;
import dev.fletch.testdata.SegmentBytes;
import dev.fletch.testdata.TypeVariants;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;
import dev.fletch.verify.messages.ValueVerifier;

import org.apache.arrow.memory.RootAllocator;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rows of the types in `docs/reference/coverage.md`: a schema of one column of each type goes
/// through all that Fletch does with types.
final class TypeCoverage {
    private static final int ROWS = 3;
    private static final int BODIES = 2_000;
    private static final int BUFFER_BYTES = 256;

    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private static final Pattern BUFFER = Pattern.compile("buffers\\[(\\d+)]");

    /// Limits of widths, units, lengths and counts, and what is beyond them.
    private static final short[] NUMBERS = {-1, 0, 1, 2, 3, 4, 8, 200};

    private static final ArrowField ITEM = field("item", new ArrowType.Int(32, true));

    private final ArrowSchema schema;
    private final BatchLayout layout;
    private final BatchBuilder builder;

    private TypeCoverage(ArrowField field) {
        schema = ArrowSchema.of(field);
        layout = compiled(schema);
        builder = new BatchBuilder(layout);
    }

    private static BatchLayout compiled(ArrowSchema of) {
        return BatchLayout.compile(of.toTable(), MetadataVersion.V5);
    }

    private static ArrowField field(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children).nullable();
    }

    private static List<ArrowField> fields() {
        List<ArrowField> all = new ArrayList<>();
        add(all, ArrowType.Simple.NULL);
        for (int bits = 8; bits <= 64; bits *= 2) {
            add(all, new ArrowType.Int(bits, true));
            add(all, new ArrowType.Int(bits, false));
        }
        for (var each : ArrowType.FloatingPoint.values()) {
            add(all, each);
        }
        add(all, ArrowType.Simple.BOOL);
        for (int bits = 32; bits <= 256; bits *= 2) {
            add(all, new ArrowType.Decimal(9, 2, bits));
        }
        for (var each : ArrowType.Date.values()) {
            add(all, each);
        }
        for (var each : ArrowType.TimeResolution.values()) {
            add(all, new ArrowType.Time(each, each.ordinal() < 2 ? 32 : 64));
        }
        for (var each : ArrowType.TimeResolution.values()) {
            add(all, new ArrowType.Timestamp(each, null));
        }
        for (var each : ArrowType.TimeResolution.values()) {
            add(all, new ArrowType.Duration(each));
        }
        for (var each : ArrowType.Interval.values()) {
            add(all, each);
        }
        add(all, new ArrowType.FixedSizeBinary(4));
        add(all, ArrowType.Simple.BINARY);
        add(all, ArrowType.Simple.LARGE_BINARY);
        add(all, ArrowType.Simple.BINARY_VIEW);
        add(all, ArrowType.Simple.UTF8);
        add(all, ArrowType.Simple.LARGE_UTF8);
        add(all, ArrowType.Simple.UTF8_VIEW);
        add(all, ArrowType.Simple.LIST, ITEM);
        add(all, ArrowType.Simple.LARGE_LIST, ITEM);
        add(all, ArrowType.Simple.LIST_VIEW, ITEM);
        add(all, ArrowType.Simple.LARGE_LIST_VIEW, ITEM);
        add(all, new ArrowType.FixedSizeList(2), ITEM);
        add(all, ArrowType.Simple.STRUCT, ITEM);
        ArrowField key = ArrowField.of("key", new ArrowType.Int(32, true));
        ArrowField entries =
                ArrowField.of("entries", ArrowType.Simple.STRUCT, key, ITEM.withName("value"));
        add(all, new ArrowType.Map(false), entries);
        add(all, ArrowType.Union.sparse(0, 5), ITEM, ITEM.withName("other"));
        add(all, ArrowType.Union.dense(0, 5), ITEM, ITEM.withName("other"));
        for (int bits = 16; bits <= 64; bits *= 2) {
            ArrowField ends = ArrowField.of("run_ends", new ArrowType.Int(bits, true));
            add(all, ArrowType.Simple.RUN_END_ENCODED, ends, ITEM.withName("values"));
        }
        for (int bits = 8; bits <= 64; bits *= 2) {
            for (boolean isSigned : new boolean[] {true, false}) {
                var info = new DictionaryInfo(1, new ArrowType.Int(bits, isSigned), false, false);
                all.add(field("f", ArrowType.Simple.UTF8).withDictionary(info));
            }
        }
        return all;
    }

    private static void add(List<ArrowField> to, ArrowType type, ArrowField... children) {
        boolean isNullable = type != ArrowType.Simple.RUN_END_ENCODED;
        ArrowField field = ArrowField.of("f", type, children);
        to.add(isNullable ? field.nullable() : field);
    }

    /// Requires that the rows have each type that the format declares.
    private static void requireAll(List<ArrowField> fields) {
        Set<Integer> types = new HashSet<>();
        fields.forEach(each -> types.add(compiled(ArrowSchema.of(each)).typeType(0)));
        TypeVariants.types()
                .forEach(each -> assertTrue(types.contains((int) each.value()), each.name()));
    }

    static void addRows(StringBuilder page) throws IOException {
        requireAll(fields());
        List<TypeCoverage> all = fields().stream().map(TypeCoverage::new).toList();
        Map<String, Set<String>> rules = new HashMap<>();
        Map<String, Integer> variants = new HashMap<>();
        for (TypeCoverage each : all) {
            // The second of a type also has the parameters that are absent in the first.
            if (variants.merge(each.type(), 1, Integer::sum) <= 2) {
                Set<String> found = rules.computeIfAbsent(each.type(), _ -> new TreeSet<>());
                found.addAll(each.metadataRules());
            }
        }
        Set<String> common = common(rules, all.stream());
        Set<String> ofBuffers =
                common(rules, all.stream().filter(each -> each.layout.bufferCount(0) > 0));
        ofBuffers.removeAll(common);
        page.append("| type | buffers | values | JSON | vectors | head | rules of metadata |");
        page.append(" rules of values |\n|---|---|---|---|---|---|---|---|\n");
        String row = "| %s | | | | | | %s | |\n";
        page.append(row.formatted("all types", text(common, "none")));
        page.append(row.formatted("all with buffers, also", text(ofBuffers, "none")));
        for (TypeCoverage each : all) {
            Set<String> own = new TreeSet<>(rules.get(each.type()));
            own.removeAll(common);
            own.removeAll(ofBuffers);
            List<String> cells =
                    List.of(
                            name(each.schema.fields().getFirst()),
                            each.buffers(),
                            each.values(),
                            each.isInJson() ? "yes" : "no",
                            each.isInVectors() ? "yes" : "no",
                            each.head(),
                            text(own, "none"),
                            each.rules());
            page.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
    }

    private static Set<String> common(Map<String, Set<String>> rules, Stream<TypeCoverage> types) {
        return types.map(each -> rules.get(each.type()))
                .map(TreeSet::new)
                .reduce(
                        (all, more) -> {
                            all.retainAll(more);
                            return all;
                        })
                .orElseThrow();
    }

    /// The type without its parameters: indices into a dictionary are one, unions are two.
    private String type() {
        return isDictionary() ? "index" : layout.typeType(0) + ":" + layout.bufferCount(0);
    }

    private static String text(Set<String> rules, String ifEmpty) {
        return rules.isEmpty() ? ifEmpty : "`" + String.join("`, `", rules) + "`";
    }

    private static String name(ArrowField field) {
        String ends =
                field.type() == ArrowType.Simple.RUN_END_ENCODED
                        ? ", ends " + field.children().getFirst().typeText()
                        : "";
        return "`" + field.typeText() + ends + "`";
    }

    private String buffers() {
        List<String> roles = new ArrayList<>();
        for (int i = 0; i < layout.bufferCount(0); i++) {
            roles.add(layout.role(0, i).text());
        }
        if (layout.has(0, BufferRole.VARIADIC)) {
            roles.add(BufferRole.VARIADIC.text());
        }
        return roles.isEmpty() ? "none" : String.join(", ", roles);
    }

    private String values() {
        ValueType type = layout.valueType(0);
        boolean hasWidth = layout.valueBits(0) > 0;
        assertTrue(type != ValueType.NONE || !hasWidth, () -> type() + " has no ValueType");
        return type != ValueType.NONE
                ? "`" + type + "`"
                : layout.fieldCount() > 1 ? "children" : "none";
    }

    private boolean isInJson() {
        return SchemaJson.parse(SchemaJson.text(schema)).equals(schema);
    }

    // ---- batches

    /// Fills the batch in the builder.
    ///
    /// @param random for buffers of random bytes and lengths; null for zeros, of which each type
    ///     has a value, and run ends that cover all rows
    private void fill(BatchLayout of, Random random) {
        int children = random == null ? ROWS : random.nextInt(2 * ROWS + 2);
        for (int field = 0; field < of.fieldCount(); field++) {
            if (of.depth(field) > 0) {
                builder.length(field, children * Math.max(1, of.listSize(of.parent(field))));
            }
            for (int i = 0; i < of.bufferCount(field); i++) {
                BufferRole role = of.role(field, i);
                byte[] bytes = new byte[BUFFER_BYTES];
                boolean isRunEnds =
                        field > 0 && of.nameString(field).equals("run_ends") && random == null;
                if (random != null) {
                    fill(bytes, random);
                } else if (isRunEnds) {
                    int width = (int) of.valueBits(field) / Byte.SIZE;
                    for (int run = 0; run < ROWS; run++) {
                        bytes[run * width] = (byte) (run + 1);
                    }
                }
                if (role == BufferRole.VIEWS && random != null) {
                    Arrays.fill(bytes, 0, 4 * Integer.BYTES * ROWS, (byte) 0);
                    bytes[0] = (byte) random.nextInt(20);
                    bytes[1 + random.nextInt(15)] = (byte) random.nextInt(-1, 2);
                    var variadic =
                            MemorySegment.ofArray(
                                    new byte[] {0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
                    builder.buffer(field, BufferRole.VARIADIC, variadic);
                }
                if (role == BufferRole.VALIDITY) {
                    Arrays.fill(bytes, (byte) -1); // no nulls
                }
                builder.buffer(field, role, MemorySegment.ofArray(bytes));
            }
        }
    }

    /// Small numbers of one width, most of them ascending, or any bytes.
    private static void fill(byte[] bytes, Random random) {
        if (random.nextInt(3) == 0) {
            random.nextBytes(bytes);
            return;
        }
        int width = 1 << random.nextInt(4);
        int number = random.nextInt(3) == 0 ? -1 : random.nextInt(2);
        for (int at = 0; at < bytes.length; at += width) {
            Arrays.fill(bytes, at, at + width, (byte) (number >> 7));
            bytes[at] = (byte) number;
            number += random.nextInt(4) - (random.nextInt(4) == 0 ? 2 : 0);
        }
    }

    private boolean isDictionary() {
        return layout.dictionaryCount() > 0;
    }

    /// The value that `fletch head` prints for zeros.
    private String head() throws IOException {
        Cli.Run run = Cli.runWithInput(stream(false), "head", "--json", "--rows=1", "-");
        assertTrue(run.status() == 0, run.err());
        String row = run.out().strip();
        // ScalarText writes a number if it does not know the type, in quotes as no JSON.
        assertTrue(!row.equals("{\"f\": \"0\"}"), () -> type() + " has no text");
        return "`" + row.substring("{\"f\": ".length(), row.length() - 1) + "`";
    }

    private boolean isInVectors() throws IOException {
        var in = new ByteArrayInputStream(stream(false));
        try (var allocator = new RootAllocator();
                var vectors =
                        VectorReader.open(
                                in, allocator, Columns.named("f"), VectorOptions.DEFAULT)) {
            return vectors.loadNext() && vectors.root().getRowCount() == ROWS;
        } catch (FletchException e) {
            return false;
        }
    }

    /// @param hasNull whether the first value is null, if the type has a validity buffer
    private byte[] stream(boolean hasNull) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            if (isDictionary()) {
                builder.beginDictionary(1, ROWS, false);
                fill(layout.dictionaryLayout(1), null);
                writer.write(builder);
            }
            builder.begin(ROWS);
            fill(layout, null);
            if (hasNull && layout.has(0, BufferRole.VALIDITY)) {
                builder.buffer(0, BufferRole.VALIDITY, MemorySegment.ofArray(new byte[] {-2}));
            }
            writer.write(builder);
            writer.finish();
        }
        return out.toByteArray();
    }

    /// The rules of metadata that one changed number breaks, while the column keeps its type.
    private Set<String> metadataRules() throws IOException {
        byte[] stream = stream(true);
        MemorySegment memory = MemorySegment.ofArray(stream);
        var frame = new EncapsulatedMessage(ReadOptions.DEFAULT);
        var message = new Message();
        var found = new TreeSet<String>();
        for (long at = 0; frame.wrap(memory, at, message) == FrameKind.MESSAGE; ) {
            int begin = (int) frame.metadataOffset();
            int end = begin + frame.metadataLength();
            at = frame.nextOffset();
            for (int word = begin; word < end; word += Short.BYTES) {
                short whole = (short) SHORT.get(stream, word);
                for (short each : NUMBERS) {
                    SHORT.set(stream, word, each);
                    addMetadataRules(stream, found);
                }
                SHORT.set(stream, word, whole);
            }
        }
        return found;
    }

    private void addMetadataRules(byte[] stream, Set<String> to) {
        List<Fault> faults = new ArrayList<>();
        MemorySegment memory = MemorySegment.ofArray(stream);
        Arrow.verify(memory, ReadOptions.VERIFY, faults::add);
        if (faults.stream().allMatch(each -> each.rule() instanceof MeaningRule)
                && hasType(memory)) {
            faults.stream().filter(this::isOfColumn).forEach(each -> to.add(each.rule().id()));
        }
    }

    /// Children have the rules of their own types, but for what maps and runs ask of them.
    private boolean isOfColumn(Fault fault) {
        Matcher buffer = BUFFER.matcher(fault.path());
        return buffer.find()
                ? Integer.parseInt(buffer.group(1)) < layout.bufferCount(0)
                : !fault.path().contains(".children[") || fault.rule().id().matches("(map|run)-.*");
    }

    /// Whether the first field still has its type.
    private boolean hasType(MemorySegment stream) {
        var message = new Message().wrap(stream.asSlice(2 * Integer.BYTES)); // behind the prefix
        var found = new Schema();
        var field = new Field();
        return message.header(found)
                && found.fieldsCount() > 0
                && found.fields(0, field).typeType() == layout.typeType(0);
    }

    /// The rules that random bodies break.
    private String rules() {
        Random random = new Random(1);
        var found = new TreeSet<String>();
        for (int i = 0; i < BODIES; i++) {
            var dictionaries = new Dictionaries(layout);
            if (isDictionary()) {
                builder.beginDictionary(1, ROWS, false);
                fill(layout.dictionaryLayout(1), null);
                builder.encode();
                var message = new Message().wrap(builder.message());
                dictionaries.add(message, body());
            }
            builder.begin(ROWS);
            fill(layout, random);
            try {
                builder.encode();
            } catch (IllegalStateException e) {
                continue; // a child that no body makes long enough
            }
            var message = new Message().wrap(builder.message());
            var cursor = new BatchCursor().bind(layout, message).body(body());
            new ValueVerifier(schema.toTable(), layout)
                    .verify(cursor, dictionaries, each -> found.add(each.rule().id()));
        }
        found.remove(ValueRule.VALUE_NULL_COUNT.id());
        return text(found, layout.valueType(0) == ValueType.NONE ? "none" : "any");
    }

    private MemorySegment body() {
        return MemorySegment.ofArray(SegmentBytes.of(builder.body()));
    }
}
