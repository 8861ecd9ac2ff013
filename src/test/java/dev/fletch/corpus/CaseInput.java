// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.verify.messages.Meant;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// An input as `cases/*.txt` describe it: its tables, bodies and framing, and the edits of them.
final class CaseInput {
    /// The number of the footer among the messages, of which the schema is 0.
    private static final int FOOTER = -1;

    /// Of a place that is in the schema of the schema message, and in that of the footer.
    private static final int SCHEMA = -2;

    private static final int V4 = 3;

    private static final Set<String> OPTIONS =
            Set.of("v4", "legacy", "unframed", "padding", "head", "gap", "marker", "blocks");

    /// Removed bytes, if all behind a place are.
    private static final int TO_THE_END = -1;

    /// Of a file, behind the footer: its length, and the magic.
    private static final int TAIL_BYTES = 10;

    private final CaseValues values;
    private final Container container;
    private final String form;
    private boolean isV4;
    private boolean isLegacy;
    private boolean isFramed = true;
    private int padding;
    private byte[] head = Arrays.copyOf(Frames.MAGIC, Long.BYTES);
    private byte[] gap = Bodies.NONE;
    private byte[] marker = Frames.END;
    private int[] blocks = {};

    /// What is there instead of all that is described; null if nothing is.
    private byte[] raw;

    private FbsValue.Table schema;

    /// The messages from the schema on; null instead of a schema that is not there.
    private final List<CaseMessage> messages = new ArrayList<>();

    private UnaryOperator<FbsValue.Table> footer = UnaryOperator.identity();

    private final List<Edit> edits = new ArrayList<>();

    /// 1 for the edits of the sound input, 2 for those of the broken one.
    private int round;

    /// Bytes that are replaced.
    private record Edit(int round, Place from, int removed, byte[] bytes) {}

    /// A place in the bytes.
    ///
    /// @param anchor the word before the parenthesis
    /// @param message its number
    private record Place(String anchor, int message, String path, int distance) {
        boolean isInMetadata() {
            return switch (anchor) {
                case "at", "start", "body", "behind", "footer", "end" -> false;
                default -> true;
            };
        }

        boolean isIn(int other) {
            return message == other || message == SCHEMA && (other == 0 || other == FOOTER);
        }

        String pathIn(int other) {
            String schema = other == FOOTER ? "schema" : "header";
            return message != SCHEMA ? path : path.isEmpty() ? schema : schema + "." + path;
        }
    }

    // ---- descriptions

    /// Takes an input: its description, and its edits if it has some.
    static CaseInput of(CaseScanner from, CaseValues values) {
        CaseInput input = new CaseInput(from, values);
        input.edits(from);
        return input;
    }

    private CaseInput(CaseScanner from, CaseValues values) {
        this.values = values;
        String kind = from.take();
        this.form = kind.equals("base64") || kind.equals("other") ? from.take() : kind;
        this.container =
                switch (kind) {
                    case "file" -> Container.FILE;
                    case "stream" -> Container.STREAM;
                    case "flatbuffer" -> Container.FLATBUFFER;
                    case "base64" -> Container.TEXT;
                    case "other" -> Container.OTHER;
                    default -> throw from.wrong("a container, not " + kind);
                };
        switch (form) {
            case "file", "stream" -> messages(from);
            case "flatbuffer" -> schema = values.table(from);
            case "bytes" -> raw = values.bytes(from);
            default -> throw from.wrong("a form, not " + form);
        }
    }

    Container container() {
        return container;
    }

    private void messages(CaseScanner from) {
        while (option(from)) {}
        schema = values.table(from);
        messages.add(new CaseMessage(schema, isV4));
        while (from.takes("|")) {
            CaseMessage message = message(from);
            messages.addAll(Collections.nCopies(CaseValues.times(from), message));
        }
    }

    /// Takes an option, if one is next.
    private boolean option(CaseScanner from) {
        if (!OPTIONS.contains(from.peek())) {
            return false;
        }
        switch (from.take()) {
            case "v4" -> isV4 = true;
            case "legacy" -> {
                isLegacy = true;
                marker = Frames.LEGACY_END;
            }
            case "unframed" -> isFramed = false;
            case "padding" -> padding = (int) from.number();
            case "head" -> head = values.bytes(from);
            case "gap" -> gap = values.bytes(from);
            case "marker" -> marker = values.bytes(from);
            default -> {
                IntStream.Builder numbers = IntStream.builder();
                while (from.isNumber()) {
                    numbers.add((int) from.number());
                }
                blocks = numbers.build().toArray();
            }
        }
        return true;
    }

    private CaseMessage message(CaseScanner from) {
        return new CaseMessage(from, values, isV4);
    }

    // ---- edits

    /// Takes the edits behind `=>`.
    void edits(CaseScanner from) {
        round++;
        if (from.takes("=>")) {
            do {
                edit(from);
            } while (from.takes(";"));
        }
    }

    private void edit(CaseScanner from) {
        if (from.takes("@")) {
            bytesEdit(from);
        } else if (from.takes("set")) {
            if (!option(from)) {
                throw from.wrong("an option");
            }
        } else if (from.takes("insert")) {
            int at = (int) from.number();
            messages.add(at, message(from));
        } else if (from.takes("column")) {
            addColumn(values.table(from));
        } else if (from.takes("add")) {
            messages.get((int) from.number()).add(from, values);
        } else if (from.takes("remove")) {
            remove((int) from.number());
        } else if (from.takes("instead")) {
            raw = values.bytes(from);
        } else {
            valueEdit(from);
        }
    }

    private void addColumn(FbsValue.Table field) {
        FbsValue.Vector fields = (FbsValue.Vector) schema.fields().get("fields");
        List<FbsValue> more = new ArrayList<>(fields.elements());
        more.add(field);
        setSchema(with(schema, "fields", more));
    }

    /// Changes the schema of footer and schema message.
    private void setSchema(FbsValue.Table changed) {
        schema = changed;
        messages.getFirst().table = with(messages.getFirst().table, "header", schema);
    }

    private void remove(int message) {
        if (message == 0) {
            messages.set(0, null);
        } else {
            messages.remove(message);
        }
    }

    /// An edit such as `1.bodyLength = 8`, `footer.schema = none`, `1.buffer[2] = i32(0 2 1)`.
    private void valueEdit(CaseScanner from) {
        String of = from.take();
        List<Object> path = CaseValues.path(from);
        from.expect("=");
        switch (of) {
            case "footer" -> {
                UnaryOperator<FbsValue.Table> before = footer;
                UnaryOperator<FbsValue.Table> change = change(path, from);
                footer = table -> change.apply(before.apply(table));
            }
            case "schema" -> setSchema(change(path, from).apply(schema));
            case "root" -> schema = change(path, from).apply(schema);
            default -> messageEdit(Integer.parseInt(of), path, from);
        }
    }

    private UnaryOperator<FbsValue.Table> change(List<Object> path, CaseScanner from) {
        FbsValue value = from.takes("none") ? null : values.value(from);
        return table -> values.changed(table, path, value);
    }

    private void messageEdit(int number, List<Object> path, CaseScanner from) {
        CaseMessage message = messages.get(number);
        switch (path.isEmpty() ? "" : (String) path.getFirst()) {
            case "" -> messages.set(number, message(from));
            case "body" -> message.body = values.bytes(from);
            case "buffer" -> message.setBuffer((int) path.get(1), values.bytes(from));
            default -> message.table = change(path, from).apply(message.table);
        }
    }

    /// An edit such as `@slot(1.header.nodes) i16(0)`, `@end cut 8` or `@start(2) insert zeros(8)`.
    private void bytesEdit(CaseScanner from) {
        Place place = place(from);
        boolean isCut = from.takes("cut");
        int cut = isCut ? from.isNumber() ? (int) from.number() : TO_THE_END : 0;
        boolean isOther = !isCut && !from.takes("insert");
        boolean isLast = from.isAtEnd() || from.peek().equals(";") || from.peek().equals(")");
        byte[] bytes = isLast ? Bodies.NONE : values.bytes(from);
        edits.add(new Edit(round, place, isOther ? bytes.length : cut, bytes));
    }

    private static Place place(CaseScanner from) {
        if (from.isNumber()) {
            return new Place("at", 0, "", (int) from.number());
        }
        String anchor = from.take();
        int message = FOOTER;
        StringBuilder path = new StringBuilder();
        if (from.takes("(")) {
            if (from.isNumber()) {
                message = (int) from.number();
            } else if (from.takes("schema")) {
                message = SCHEMA;
            } else {
                from.takes("footer");
            }
            from.takes(".");
            while (!from.takes(")")) {
                path.append(from.take());
            }
        }
        boolean isBehind = from.takes("+") || from.isNumber();
        return new Place(anchor, message, path.toString(), isBehind ? (int) from.number() : 0);
    }

    // ---- bytes

    byte[] bytes() {
        byte[] bytes = raw != null ? raw : made();
        if (container == Container.TEXT && raw == null) {
            bytes = Base64.getEncoder().encode(bytes);
        }
        return edited(bytes, each -> !each.isInMetadata(), this::position);
    }

    /// Bytes with those edits that are of them.
    private byte[] edited(
            byte[] bytes, Predicate<Place> isHere, ToIntBiFunction<byte[], Place> position) {
        byte[] edited = bytes;
        for (int i = 1; i <= round; i++) {
            List<CorpusEdit> all = new ArrayList<>();
            for (Edit each : edits) {
                if (each.round == i && isHere.test(each.from)) {
                    int at = position.applyAsInt(edited, each.from);
                    int removed = each.removed == TO_THE_END ? edited.length - at : each.removed;
                    all.add(new CorpusEdit(at, removed, each.bytes));
                }
            }
            all.sort(Comparator.comparingInt(CorpusEdit::at));
            edited = CorpusEdit.apply(edited, all);
        }
        return edited;
    }

    private byte[] made() {
        if (form.equals("flatbuffer")) {
            return edited(FOOTER, schema.name(), Meant.bytes(schema));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(isFile() ? head : Bodies.NONE);
        List<long[]> places = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            CaseMessage each = messages.get(i);
            byte[] framed = each == null ? Bodies.NONE : framed(i, each);
            long body = each == null ? 0 : each.body.length;
            places.add(new long[] {out.size(), framed.length - body, body});
            out.writeBytes(framed);
            out.writeBytes(isFile() && i == 0 ? gap : Bodies.NONE);
        }
        out.writeBytes(marker);
        if (isFile()) {
            byte[] end = edited(FOOTER, "Footer", Meant.bytes(footer(places)));
            out.writeBytes(Frames.join(end, Frames.words(end.length), Frames.MAGIC));
        }
        return out.toByteArray();
    }

    private boolean isFile() {
        return form.equals("file");
    }

    private int prefixBytes() {
        return isLegacy ? Integer.BYTES : Long.BYTES;
    }

    /// A message with its prefix and body; an unframed schema alone.
    private byte[] framed(int number, CaseMessage message) {
        byte[] metadata = edited(number, "Message", Meant.bytes(message.table));
        if (number == 0 && !isFramed) {
            return Frames.padded(metadata, Long.BYTES);
        }
        int prefix = prefixBytes();
        int length = (prefix + metadata.length + 7 & -8) - prefix + padding;
        return Frames.join(
                isLegacy ? Frames.words(length) : Frames.words(-1, length),
                Arrays.copyOf(metadata, length),
                message.body);
    }

    /// @param places of the messages: offset, length of prefix and metadata, length of the body
    private FbsValue.Table footer(List<long[]> places) {
        List<long[]> dictionaries = new ArrayList<>();
        List<long[]> batches = new ArrayList<>();
        int[] listed = blocks.length > 0 ? blocks : IntStream.range(1, places.size()).toArray();
        for (int each : listed) {
            FbsValue.Table header =
                    (FbsValue.Table) messages.get(each).table.fields().get("header");
            boolean isDictionary = header.name().equals("DictionaryBatch");
            (isDictionary ? dictionaries : batches).add(places.get(each));
        }
        FbsValue.Table made = Meant.table("Footer", "version", isV4 ? V4 : V4 + 1);
        made = with(made, "schema", schema, "dictionaries", dictionaries);
        return footer.apply(with(made, "recordBatches", batches));
    }

    private byte[] edited(int message, String root, byte[] flatbuffer) {
        return edited(
                flatbuffer,
                each -> each.isInMetadata() && each.isIn(message),
                (bytes, place) ->
                        place.distance
                                + new FlatbufferPlaces(bytes, root)
                                        .position(place.anchor, place.pathIn(message)));
    }

    /// The position of a place in the bytes of an input.
    private int position(byte[] bytes, Place of) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int tail = bytes.length - TAIL_BYTES;
        return of.distance
                + switch (of.anchor) {
                    case "at" -> of.distance < 0 ? bytes.length : 0;
                    case "end" -> bytes.length;
                    case "footer" -> tail - words.getInt(tail);
                    default -> inMessage(words, of);
                };
    }

    private int inMessage(ByteBuffer words, Place of) {
        if (raw != null) {
            OracleMessage message = OracleListing.list(raw).messages().get(of.message);
            return (int)
                    switch (of.anchor) {
                        case "start" -> message.offset();
                        case "body" -> message.bodyOffset();
                        default -> message.endOffset();
                    };
        }
        int at = isFile() ? head.length : 0;
        for (int i = messages.getFirst() == null ? 1 : 0; i < messages.size(); i++) {
            at += i == 1 ? gap.length : 0;
            int body = at + prefixBytes() + words.getInt(at + prefixBytes() - Integer.BYTES);
            int behind = body + messages.get(i).body.length;
            if (i == of.message) {
                return switch (of.anchor) {
                    case "start" -> at;
                    case "body" -> body;
                    default -> behind;
                };
            }
            at = behind;
        }
        throw new IllegalArgumentException("no message: " + of);
    }
}
