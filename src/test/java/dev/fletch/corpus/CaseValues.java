// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.AssembledFile;
import dev.fletch.testdata.AssembledFile.WrongBlocks;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.RandomTables;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.vector.ipc.message.ArrowBlock;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/// Values of flatbuffers and bytes of bodies, as `cases/*.txt` write them: see
/// `docs/reference/corpus.md`.
///
/// A table that is written twice is one object, so that a flatbuffer has it once; `new` is before
/// one that is another.
final class CaseValues {
    private static final FbsDocument ARROW = RandomTables.ARROW;

    private final Map<String, FbsValue.Table> names;
    private final Map<FbsValue.Table, FbsValue.Table> tables = new HashMap<>();

    /// @param names of tables that a statement uses
    CaseValues(Map<String, FbsValue.Table> names) {
        this.names = names;
        names.values().forEach(this::add);
    }

    private void add(FbsValue value) {
        switch (value) {
            case FbsValue.Table table -> {
                once(table);
                table.fields().values().forEach(this::add);
            }
            case FbsValue.Vector(List<FbsValue> elements) -> elements.forEach(this::add);
            default -> {}
        }
    }

    private FbsValue.Table once(FbsValue.Table table) {
        return tables.computeIfAbsent(table, each -> each);
    }

    // ---- values

    FbsValue value(CaseScanner from) {
        if (from.isNumber()) {
            return new FbsValue.Number(from.number());
        }
        if (from.isText()) {
            String text = from.text();
            return isColumn(from)
                    ? fields(column(text, from), from, "{", "}")
                    : new FbsValue.Text(text);
        }
        if (from.takes("[")) {
            return new FbsValue.Vector(values(from, "]"));
        }
        if (from.takes("repeat")) {
            from.expect("(");
            int count = (int) from.number();
            String text = from.text().repeat(count);
            from.expect(")");
            return new FbsValue.Text(text);
        }
        if (from.takes("(")) {
            List<Long> numbers = new ArrayList<>();
            while (!from.takes(")")) {
                numbers.add(from.number());
            }
            return new FbsValue.Struct(numbers);
        }
        return table(from);
    }

    private List<FbsValue> values(CaseScanner from, String end) {
        List<FbsValue> all = new ArrayList<>();
        while (!from.takes(end)) {
            if (from.takes("many")) {
                all.addAll(many(from));
                continue;
            }
            FbsValue value = value(from);
            all.addAll(Collections.nCopies(times(from), value));
            if (from.takes("~")) {
                long first = ((FbsValue.Number) value).value();
                long last = from.number();
                for (long i = first; i != last; ) {
                    i += Long.signum(last - first);
                    all.add(new FbsValue.Number(i));
                }
            }
        }
        return all;
    }

    /// Columns whose names end in a number: `many(300 "column_":Utf8)`.
    private List<FbsValue> many(CaseScanner from) {
        from.expect("(");
        long count = from.number();
        FbsValue.Table column = (FbsValue.Table) value(from);
        from.expect(")");
        String name = ((FbsValue.Text) column.fields().get("name")).value();
        List<FbsValue> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(with(column, "name", name + i));
        }
        return columns;
    }

    /// Takes how often what is before it is there: `*3`.
    static int times(CaseScanner from) {
        return from.takes("*") ? (int) from.number() : 1;
    }

    private static boolean isColumn(CaseScanner from) {
        return from.peek().equals(":") || from.peek().equals("!");
    }

    /// A table: `Int(bitWidth=8)`, a column `name:Utf8`, or the name of one; each may have
    /// `{field=value}` behind it, with fields that are changed.
    FbsValue.Table table(CaseScanner from) {
        boolean isNew = from.takes("new");
        FbsValue.Table table = fields(plain(from), from, "{", "}");
        return isNew ? new FbsValue.Table(table.name(), table.fields()) : once(table);
    }

    private FbsValue.Table plain(CaseScanner from) {
        if (from.takes("<")) {
            return Meant.table("Schema", "fields", values(from, ">"));
        }
        String name = from.take();
        if (name.equals("deep")) {
            return deep(from);
        }
        if (isColumn(from)) {
            return column(name, from);
        }
        FbsValue.Table known = names.get(name);
        return known != null ? known : fields(Meant.table(name), from, "(", ")");
    }

    /// A column that is many levels below others: `deep(63 "":Struct_ int8)`.
    private FbsValue.Table deep(CaseScanner from) {
        from.expect("(");
        int levels = (int) from.number();
        FbsValue.Table parent = (FbsValue.Table) value(from);
        FbsValue.Table type = (FbsValue.Table) parent.fields().get("type");
        FbsValue.Table column = table(from);
        from.expect(")");
        for (int i = 0; i < levels; i++) {
            FbsValue.Table own = new FbsValue.Table(type.name(), type.fields());
            column = with(parent, "type", own, "children", List.of(column));
        }
        return column;
    }

    /// A column that is nullable, or behind `!` not, with its type and children.
    private FbsValue.Table column(String name, CaseScanner from) {
        int nullable = from.takes("!") ? 0 : 1;
        from.expect(":");
        boolean isNew = from.takes("new");
        FbsValue.Table plain = plain(from);
        FbsValue.Table type =
                isNew ? new FbsValue.Table(plain.name(), plain.fields()) : once(plain);
        long tag =
                ARROW.union("Type").members().stream()
                        .filter(each -> each.name().equals(type.name()))
                        .findFirst()
                        .orElseThrow(() -> from.wrong("a type"))
                        .value();
        FbsValue.Table field = Meant.field(name, (int) tag, type);
        List<FbsValue> children = from.takes("<") ? values(from, ">") : List.of();
        return with(field, "nullable", nullable, "children", children);
    }

    /// The same table with fields; `none` takes one away.
    FbsValue.Table fields(FbsValue.Table table, CaseScanner from, String start, String end) {
        FbsValue.Table changed = table;
        if (from.takes(start)) {
            while (!from.takes(end)) {
                String field = from.take();
                from.expect("=");
                changed = with(changed, field, from.takes("none") ? null : value(from));
            }
        }
        return changed;
    }

    /// Takes a path such as `.header.fields[0].name`.
    ///
    /// @return its names and indices
    static List<Object> path(CaseScanner from) {
        List<Object> steps = new ArrayList<>();
        while (true) {
            if (from.takes(".")) {
                steps.add(from.take());
            } else if (from.takes("[")) {
                steps.add((int) from.number());
                from.expect("]");
            } else {
                return steps;
            }
        }
    }

    /// A table with another value at a path.
    ///
    /// @param value null to take it away
    FbsValue.Table changed(FbsValue.Table table, List<Object> path, FbsValue value) {
        return (FbsValue.Table) changed(table, new FbsType.Table(table.name()), path, value);
    }

    private FbsValue changed(FbsValue in, FbsType type, List<Object> path, FbsValue value) {
        if (path.isEmpty()) {
            return value;
        }
        List<Object> rest = path.subList(1, path.size());
        return switch (in) {
            case FbsValue.Table table -> {
                String name = (String) path.getFirst();
                FbsType below = ARROW.table(table.name()).field(name).type();
                FbsValue old = table.fields().get(name);
                yield once(with(table, name, changed(old, below, rest, value)));
            }
            case FbsValue.Vector(List<FbsValue> elements) -> {
                int index = (int) path.getFirst();
                List<FbsValue> all = new ArrayList<>(elements);
                FbsType element = ((FbsType.Vector) type).element();
                all.set(index, changed(all.get(index), element, rest, value));
                yield new FbsValue.Vector(all);
            }
            case FbsValue.Struct(List<Long> values) -> {
                List<Long> all = new ArrayList<>(values);
                List<String> declared =
                        ARROW.struct(((FbsType.Struct) type).name()).fields().stream()
                                .map(StructField::name)
                                .toList();
                int index = declared.indexOf((String) path.getFirst());
                all.set(index, ((FbsValue.Number) value).value());
                yield new FbsValue.Struct(all);
            }
            default -> throw new IllegalArgumentException("no place: " + path);
        };
    }

    // ---- bytes

    /// Bytes: parts such as `i32(0 1 3) + "abc"`; `-` for none.
    byte[] bytes(CaseScanner from) {
        byte[] bytes = part(from);
        while (from.takes("+")) {
            bytes = Bodies.joined(bytes, part(from));
        }
        return bytes;
    }

    private byte[] part(CaseScanner from) {
        if (from.isText()) {
            return Bodies.text(from.text());
        }
        String kind = from.take();
        if (kind.equals("-")) {
            return Bodies.NONE;
        }
        from.expect("(");
        byte[] bytes =
                switch (kind) {
                    case "i8", "i16", "i32", "i64" ->
                            numbers(from, Integer.parseInt(kind.substring(1)));
                    case "zeros" -> new byte[(int) from.number()];
                    case "hex" -> hex(from);
                    case "view" -> view(from);
                    case "lz4" -> Bodies.lz4(bytes(from));
                    case "zstd" -> Bodies.zstd(bytes(from));
                    case "stored" -> Bodies.stored(bytes(from));
                    case "input" -> CaseInput.of(from, this).bytes();
                    case "repeat" -> repeated((int) from.number(), bytes(from));
                    case "base64" -> Base64.getEncoder().encode(bytes(from));
                    case "random" -> random((int) from.number());
                    case "sample" -> Bodies.read(TradesSample.path(from.text()));
                    case "corpus" -> Bodies.read(Corpus.FOLDER.resolve(from.text()));
                    case "java" -> ofArrowJava(from.text());
                    case "assembled" -> assembled(from);
                    default -> throw from.wrong("bytes, not " + kind);
                };
        from.expect(")");
        return bytes;
    }

    private static byte[] repeated(int times, byte[] bytes) {
        return Bodies.joined(Collections.nCopies(times, bytes).toArray(byte[][]::new));
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return bytes;
    }

    /// A file or stream of arrow-java: `nested.arrow`, `nested.arrows`.
    private static byte[] ofArrowJava(String name) {
        ArrowCase made = ArrowVectorFiles.named(name.substring(0, name.indexOf('.')));
        return name.endsWith(".arrow") ? made.file() : made.stream();
    }

    /// A file of arrow-java's messages, as usual writers do not write it: see `corpus/built.txt`.
    private static byte[] assembled(CaseScanner from) {
        int head = (int) from.number();
        byte[] sound = ofArrowJava(from.text() + ".arrows");
        AssembledFile file = new AssembledFile(head, sound);
        List<OracleMessage> messages = OracleListing.list(sound).messages();
        if (from.takes("bare")) {
            file.addBytes(messages.getFirst().metadataBytes());
        } else if (!from.takes("no-schema")) {
            file.add(sound, messages.getFirst());
        }
        messages.stream().skip(1).forEach(each -> file.add(sound, each));
        if (from.takes("no-footer")) {
            return file.withoutFooter();
        }
        if (from.takes("blocks")) {
            String how = from.take().replace('-', '_').toUpperCase(Locale.ROOT);
            file.wrong(WrongBlocks.valueOf(how), new SplittableRandom(head));
        }
        List<ArrowBlock> dictionaries = blocks(from, "dictionaries", file.dictionaries());
        return file.blocks(dictionaries, blocks(from, "records", file.records())).file();
    }

    private static List<ArrowBlock> blocks(CaseScanner from, String kind, List<ArrowBlock> all) {
        if (!from.takes(kind)) {
            return all;
        }
        List<ArrowBlock> listed = new ArrayList<>();
        while (from.isNumber()) {
            ArrowBlock block = all.get((int) from.number());
            listed.addAll(Collections.nCopies(times(from), block));
        }
        return listed;
    }

    private static byte[] numbers(CaseScanner from, int bits) {
        List<Long> numbers = new ArrayList<>();
        while (from.isNumber()) {
            numbers.add(from.number());
        }
        return Bodies.numbers(bits, numbers.stream().mapToLong(each -> each).toArray());
    }

    private static byte[] hex(CaseScanner from) {
        StringBuilder digits = new StringBuilder();
        while (!from.peek().equals(")")) {
            digits.append(from.take());
        }
        return Bodies.hex(digits.toString());
    }

    /// A view: `view("abc")`, `view(12 "abcd" 0 5)` with length, prefix, buffer and offset.
    private static byte[] view(CaseScanner from) {
        if (from.isText()) {
            return Bodies.view(from.text());
        }
        int length = (int) from.number();
        String prefix = from.text();
        return from.isNumber()
                ? Bodies.view(length, prefix, (int) from.number(), (int) from.number())
                : Bodies.view(length, prefix);
    }
}
