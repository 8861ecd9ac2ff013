// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.github.luben.zstd.Zstd;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/// Streams that claim much, or send it: reader, channel and receiver need as much memory as their
/// limits say, in a process with little of it.
class HostileStreamTest {
    private static final String MEGABYTES = "-Xmx64m";
    private static final long LIMIT = 16 << 20;
    private static final long LONG_LENGTH = 900L << 20;
    private static final byte[] NONE = {};
    private static final FbsValue.Table TEXT = field("u", Type.UTF8, table("Utf8"));

    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED
                    .withLimits(Limits.DEFAULT.withBodyBytes(LIMIT).withMetadataBytes(LIMIT))
                    .withDecompressedBytes(LIMIT);

    @TempDir private Path folder;

    @Test
    void memoryIsLimited() throws Exception {
        writeInputs();
        List<String> call =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        MEGABYTES,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostileStreamTest.class.getName(),
                        folder.toString(),
                        Integer.toString(CaseCount.of(160, 640)));
        Process process = new ProcessBuilder(call).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        String expected =
                """
                1 claimed body: body-over-limit body-over-limit body-over-limit
                2 claimed body within the limit: body-longer body-longer body-out-of-input
                3 long body: sound sound sound
                4 claimed metadata: metadata-over-limit metadata-over-limit no-message
                5 bomb: values-unchecked values-unchecked values-unchecked
                6 many bombs: values-unchecked values-unchecked values-unchecked
                7 repeated: sound sound sound
                8 dictionary repeated: sound sound sound
                9 delta repeated: body-over-limit body-over-limit body-over-limit
                """;
        assertEquals(expected, out);
    }

    // ---- in the process

    private static HandmadeInput input() {
        return new HandmadeInput(schema(TEXT));
    }

    private static HandmadeInput words() {
        return new HandmadeInput(schema(encoded(TEXT, 3)));
    }

    private static Batch texts(int bytes, UnaryOperator<Batch> prepare) {
        ByteBuffer offsets = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(4, bytes);
        return prepare.apply(new Batch(1)).node(1, 0, NONE, offsets.array(), new byte[bytes]);
    }

    private static Batch bomb(Batch of) {
        return of.compressed(
                CompressionType.ZSTD,
                plain -> {
                    byte[] frame = Zstd.compress(plain, 3);
                    return ByteBuffer.allocate(Long.BYTES + frame.length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(plain.length)
                            .put(frame)
                            .array();
                });
    }

    /// A stream of which the last message claims a longer body.
    private static byte[] claiming(long bodyLength) {
        byte[] stream = input().batch(texts(8, of -> of)).stream();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        MemorySegment memory = MemorySegment.ofArray(stream);
        long place = 0;
        for (long at = 0; frame.wrap(memory, at, message) == FrameKind.MESSAGE; ) {
            place = message.position(Message.BODY_LENGTH_SLOT);
            at = frame.nextOffset();
        }
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putLong((int) place, bodyLength);
        return stream;
    }

    private void write(String name, byte[] stream) throws IOException {
        Files.write(folder.resolve(name), stream);
    }

    private void writeInputs() throws IOException {
        write("1 claimed body", claiming(LONG_LENGTH));
        write("2 claimed body within the limit", claiming(LIMIT));
        write("3 long body", input().batch(texts((int) LIMIT - 64, of -> of)).stream());
        write("4 claimed metadata", new byte[] {-1, -1, -1, -1, 0, 0, 0, 0x70});
        write("5 bomb", input().batch(texts(24 << 20, HostileStreamTest::bomb)).stream());
        HandmadeInput many =
                new HandmadeInput(schema(TEXT, TEXT, TEXT, TEXT))
                        .batch(manyTexts(5 << 20, bomb(new Batch(1))));
        write("6 many bombs", many.stream());
        write("7 repeated", input().batch(texts(1 << 20, of -> of)).stream());
        Batch values = texts(1 << 20, of -> of);
        write("8 dictionary repeated", words().dictionary(3, false, values).stream());
        HandmadeInput growing = words().dictionary(3, false, values).dictionary(3, true, values);
        write("9 delta repeated", growing.stream());
    }

    public static void main(String[] args) throws IOException {
        File[] files = new File(args[0]).listFiles();
        Arrays.sort(files);
        int times = Integer.parseInt(args[1]);
        for (File each : files) {
            boolean isRepeated = each.getName().endsWith("repeated");
            String line = each.getName() + ":";
            for (boolean isChannel : new boolean[] {false, true}) {
                InputStream in = isRepeated ? repeated(each, times) : new FileInputStream(each);
                line += " " + outcome(in, isChannel);
            }
            System.out.println(line + " " + received(each, isRepeated ? times : 1));
        }
    }

    /// Receives the messages of a file, the last one several times.
    private static String received(File file, int times) throws IOException {
        MemorySegment stream = MemorySegment.ofArray(Files.readAllBytes(file.toPath()));
        ByteBuffer words = stream.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        BatchReceiver receiver = Arrow.receive(OPTIONS);
        int at = 0;
        try {
            while (words.getInt(at + Integer.BYTES) != 0) {
                int length = words.getInt(at + Integer.BYTES);
                int bodyAt = at + Long.BYTES + length;
                if (length > stream.byteSize() - at - Long.BYTES) {
                    return "no-message"; // which gRPC would not hand over
                }
                MemorySegment header = stream.asSlice(at + Long.BYTES, length);
                long rest = stream.byteSize() - bodyAt;
                long body = Math.min(new Message().wrap(header).bodyLength(), rest);
                at = (int) (bodyAt + body);
                boolean isLast = at == stream.byteSize() || words.getInt(at + Integer.BYTES) == 0;
                for (int i = isLast ? times : 1; i > 0; i--) {
                    receiver.receive(header, stream.asSlice(bodyAt, body));
                }
            }
            return "sound";
        } catch (FletchException e) {
            return e.rule().id();
        }
    }

    private static Batch manyTexts(int bytes, Batch into) {
        for (int i = 0; i < 4; i++) {
            ByteBuffer offsets =
                    ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(4, bytes);
            into.node(1, 0, NONE, offsets.array(), new byte[bytes]);
        }
        return into;
    }

    /// The last message, of 1 MiB, several times: more than the memory.
    private static InputStream repeated(File file, int times) throws IOException {
        byte[] stream = Files.readAllBytes(file.toPath());
        EncapsulatedMessage frame = new EncapsulatedMessage();
        MemorySegment memory = MemorySegment.ofArray(stream);
        int last = 0;
        int end = 0;
        while (frame.wrap(memory, end, new Message()) == FrameKind.MESSAGE) {
            last = end;
            end = (int) frame.nextOffset();
        }
        List<InputStream> parts = new ArrayList<>();
        parts.add(new ByteArrayInputStream(stream, 0, last));
        for (int i = 0; i < times; i++) {
            parts.add(new ByteArrayInputStream(stream, last, end - last));
        }
        return new SequenceInputStream(Collections.enumeration(parts));
    }

    private static String outcome(InputStream in, boolean isChannel) throws IOException {
        try {
            if (isChannel) {
                var channel = VerifiedChannel.of(Channels.newChannel(in), OPTIONS);
                ByteBuffer piece = ByteBuffer.allocate(1 << 16);
                while (channel.read(piece.clear()) >= 0) {}
            } else {
                try (BatchReader reader = Arrow.open(in, OPTIONS)) {
                    while (reader.next()) {}
                }
            }
            return "sound";
        } catch (FletchException e) {
            return e.rule().id();
        }
    }
}
