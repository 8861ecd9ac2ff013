// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.verify.messages.SemanticVerifier;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A process that reads a mapped file in one way after the other, each some times, shortens the
/// file, and reads it again: prints a line for each way. It runs in a JVM of its own, because that
/// may crash.
///
/// Most ways read a schema message of many columns, which loses its second half. The first column
/// is at the file's end, so that the page of a table is gone and that of the offset to it is not.
/// Others read an Arrow file.
///
/// Arguments: a folder, how often to read before, and the ways.
final class MappedReader {
    private static final int COLUMNS = 600;
    private static final byte[] MESSAGE = LargeSchemas.schemaMessage(COLUMNS);
    private static final String LAST_NAME = "column_" + (COLUMNS - 1);
    private static final byte[] LAST = LAST_NAME.getBytes(StandardCharsets.UTF_8);

    /// The ways that read an Arrow file, of which 100 bytes are left, or none.
    static final List<String> SHORTENED = List.of("open", "messages", "unreadable");

    static final List<String> EMPTIED =
            List.of("copy", "footer", "bind", "wrap", "rewritten footer");

    private final ArrowFile file;
    private final MemorySegment memory;
    private final Schema schema = new Schema();
    private final Message message = new Message();
    private final Field field = new Field();
    private final Int number = new Int();
    private final Utf8Slice name = new Utf8Slice();
    private final Utf8Slice before = new Utf8Slice();
    private final FieldWalk walk = new FieldWalk();
    private final ByteSlice slice = new ByteSlice();
    private final Verifier verifier = new Verifier(Checks.STRICT);
    private final SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, _ -> {});
    private final MetadataChecks known =
            new MetadataChecks(ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas()));

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final RecordBatch batch = new RecordBatch();
    private final RecordBatch opened = new RecordBatch();
    private final long[] numbers = new long[4096];
    private final BatchLayout layout;
    private final BatchCursor cursor = new BatchCursor();

    private MappedReader(ArrowFile file) {
        this.file = file;
        memory = file.memory();
        file.recordBatch(file.recordBatchCount() - 1, new EncapsulatedMessage(), message);
        message.header(opened);
        file.footer().schema(schema);
        layout = BatchLayout.compile(schema, MetadataVersion.V5);
    }

    private MappedReader(MemorySegment memory) {
        file = null;
        layout = null;
        this.memory = memory;
        message.wrap(memory).header(schema);
        slice.wrap(memory, 0, memory.byteSize());
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int times = Integer.parseInt(args[1]);
        Map<String, Long> sums = new HashMap<>();
        for (String way : List.of(args).subList(2, args.length)) {
            Path path = folder.resolve(way);
            MappedReader reader;
            long newSize = SHORTENED.contains(way) ? 100 : 0;
            if (SHORTENED.contains(way) || EMPTIED.contains(way)) {
                Files.copy(ShortenedFileTest.SAMPLE, path);
                reader = new MappedReader(ArrowFile.map(path, Arena.global(), ReadOptions.DEFAULT));
            } else {
                reader = new MappedReader(map(Files.write(path, MESSAGE)));
                newSize = MESSAGE.length / 2L;
            }
            long sum = 0;
            for (int n = 0; n < times; n++) {
                sum += reader.read(way);
            }
            sums.put(way, sum);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(newSize);
            }
            System.out.println(way + ": " + reader.outcome(way));
        }
        // Proves that the process is well, and that nothing was optimized away.
        System.out.println("alive " + sums.size());
    }

    private static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.global());
        }
    }

    /// What one more read ends in. The line is made here: an exception that comes late, comes by
    /// the time when this method is left.
    private String outcome(String way) {
        try {
            return "read " + read(way);
        } catch (Throwable e) {
            String text = e instanceof InternalError ? "" : " " + e.getMessage();
            return e.getClass().getSimpleName() + text;
        }
    }

    private long read(String way) {
        return switch (way) {
            case "names" -> names();
            case "numbers" -> numbers();
            case "walk" -> walk();
            case "find" -> walk.wrap(schema).find(LAST);
            case "column" ->
                    BatchLayout.compile(
                                    schema,
                                    MetadataVersion.V5,
                                    Limits.DEFAULT,
                                    Columns.named(LAST_NAME))
                            .bufferIndex(0);
            case "layout" -> BatchLayout.compile(schema, MetadataVersion.V5).columnCount();
            case "model" -> ArrowSchema.of(schema).fields().size();
            case "rewrite" -> rewrite();
            case "verify" -> verifier.verify(Verifier.Root.MESSAGE, memory) ? 1 : 0;
            case "faults" ->
                    verifier.findFaults(
                            Verifier.Root.MESSAGE, memory, 0, memory.byteSize(), _ -> {}, 10);
            case "meaning" -> meaning();
            case "known" -> known();
            case "differences" -> differences();
            case "bits" -> bits();
            case "constant bits" -> constantBits();
            case "counted bits" -> slice.countBits(3, 8 * slice.length() - 1);
            case "limited numbers" ->
                    slice.areUpTo(0, slice.length() / 4, Integer.BYTES, 1 << 20) ? 1 : 0;
            case "limited bytes" -> slice.areUpTo(0, slice.length(), Byte.BYTES, 127) ? 1 : 0;
            case "rising numbers" ->
                    slice.areAscending(0, slice.length() / 4, Integer.BYTES) ? 1 : 0;
            case "text" -> slice.afterUtf8(slice.length() - 100, slice.length(), slice.length());
            case "elements" -> elements();
            case "floats" -> (long) floats();
            case "open" -> openAll();
            case "messages" -> messages();
            case "unreadable" -> translated();
            case "copy" -> opened.copyBuffers(numbers, 0);
            case "footer" -> file.footer().recordBatches(0, new Block()).offset();
            case "bind" -> cursor.bind(layout, opened).rowCount();
            case "wrap" -> frame.wrap(memory, FileHead.USUAL_BYTES, message).ordinal();
            case "rewritten footer" -> rewriteFooter();
            default -> throw new IllegalArgumentException(way);
        };
    }

    private long names() {
        int count = schema.fieldsCount();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            schema.fields(i, field);
            field.name(name);
            sum += name.length() + name.hashCode() + field.typeType();
            sum += name.equals(before) || field.nameEquals("column") ? 1 : 0;
            field.name(before);
        }
        return sum;
    }

    private long numbers() {
        int count = schema.fieldsCount();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            schema.fields(i, field);
            if (field.typeType() == Type.INT && field.type(number)) {
                sum += (long) number.bitWidth() << i;
            }
        }
        return sum;
    }

    private long walk() {
        long sum = 0;
        walk.wrap(schema);
        while (walk.next()) {
            sum += walk.field().typeType() + (walk.field().nullable() ? 1 : 0);
        }
        return sum;
    }

    private long rewrite() {
        FlatBufferWriter writer = new FlatBufferWriter();
        new MetadataWriter(EmissionOrder.ARROW_CPP, writer).message(message);
        return writer.size();
    }

    private long known() {
        return known.message(memory, 0, memory.byteSize(), message)
                        && known.schema(message, 0) != null
                ? 1
                : 0;
    }

    private long meaning() {
        meaning.beginInOrder(false);
        return meaning.message(message) ? 1 : 0;
    }

    /// What a user may do with numbers: the compiler may make one instruction of a load and its
    /// widening.
    private long differences() {
        long sum = 0;
        for (long at = 0; at <= slice.length() - Integer.BYTES; at += Long.BYTES) {
            sum += at - slice.int32(at);
        }
        return sum;
    }

    /// The same of a load, a mask and a comparison.
    private long bits() {
        long sum = 0;
        for (long at = 0; at < slice.length(); at++) {
            sum += (slice.int8(at) & 1) == 0 ? at : 1;
        }
        return sum;
    }

    /// The same of bits whose places the compiler knows.
    private long constantBits() {
        long sum = 0;
        for (long at = 0; at < 8 * slice.length(); at += 8) {
            sum += slice.bit(at) ? 1 : 2;
            sum += slice.bit(at + 7) ? 1 : 2;
        }
        return sum;
    }

    /// Elements of all widths.
    private long elements() {
        long sum = 0;
        for (long i = 0; i < slice.length() / 16; i++) {
            sum += slice.int8At(i) + slice.uint8At(i) + slice.int16At(i) + slice.uint16At(i);
            sum += slice.uint32At(i) + slice.int64At(2 * i);
            sum += slice.int128LowAt(i) ^ slice.int128HighAt(i);
        }
        return sum;
    }

    /// Floating-point numbers, added, compared and null by turns.
    private double floats() {
        double sum = 0;
        for (long i = 0; i < slice.length() / 8; i++) {
            sum += slice.bit(i) ? slice.float64At(i) : 0;
            sum += slice.float32At(2 * i) > 1 ? 1 : slice.float16At(4 * i);
        }
        return sum;
    }

    // ---- an Arrow file

    private long openAll() {
        long rows = 0;
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.recordBatch(i, frame, message);
            message.header(batch);
            rows += batch.length();
        }
        return rows;
    }

    private long messages() {
        long sum = 0;
        for (int i = 0; i < file.messageCount(); i++) {
            file.message(i, frame, message);
            sum += frame.bodyLength();
        }
        return sum;
    }

    private long translated() {
        try {
            return names();
        } catch (InternalError e) {
            throw file.unreadable(file.footerOffset(), e);
        }
    }

    private long rewriteFooter() {
        FlatBufferWriter writer = new FlatBufferWriter();
        new MetadataWriter(EmissionOrder.ARROW_CPP, writer).footer(file.footer());
        return writer.size();
    }
}
