// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Message;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.JavaProcess;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Streams that claim much, or send it: reader, channel and receiver need as much memory as their
/// limits say, in a process with little of it.
class HostileStreamTest {
    private static final String MEGABYTES = "-Xmx64m";
    private static final long LIMIT = 16 << 20;
    private static final long LONG_LENGTH = 900L << 20;

    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED
                    .withLimits(Limits.DEFAULT.withBodyBytes(LIMIT).withMetadataBytes(LIMIT))
                    .withDecompressedBytes(LIMIT);

    @TempDir private Path folder;

    @Test
    void memoryIsLimited() throws Exception {
        writeInputs();
        String out =
                JavaProcess.run(
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                MEGABYTES,
                                "--enable-native-access=ALL-UNNAMED"),
                        HostileStreamTest.class,
                        List.of(folder.toString(), "" + CaseCount.of(160, 640)));
        String expected =
                """
                0 many views: sound sound sound
                1 claimed body: body-over-limit body-over-limit body-over-limit
                2 claimed body within the limit: body-longer body-longer body-out-of-input
                3 long body: sound sound sound
                4 claimed metadata: metadata-over-limit metadata-over-limit no-message
                5 bomb: values-unchecked values-unchecked values-unchecked
                6 many bombs: values-unchecked values-unchecked values-unchecked
                7 repeated: sound sound sound
                8 dictionary repeated: sound sound sound
                9 delta repeated: too-much-memory too-much-memory too-much-memory
                """;
        assertEquals(expected, out);
    }

    /// The first dictionary waits for the second one, in a copy for which there is no memory: it is
    /// not left out of what is handed on.
    @Test
    void errorsEndTheChannel() throws Exception {
        String i8 = "dictionary=DictionaryEncoding(id=%d indexType=Int(bitWidth=8 is_signed=1))";
        String text = "text:Utf8{" + i8.formatted(3) + "}";
        int rows = 30 << 20;
        write(
                "waiting",
                "<s:Struct_<%s>{%s}> | dictionary 5 %d [%d*2] [- - i8(1)+zeros(%d)]"
                                .formatted(text, i8.formatted(5), rows, rows, rows - 1)
                        + " | dictionary 3 2 [2] [- i32(0 1 2) \"ab\"] | batch 1 [1] [- i8(0)]");
        String out =
                JavaProcess.run(
                        List.of("-XX:+UseSerialGC", MEGABYTES),
                        Waiting.class,
                        List.of(folder.resolve("waiting").toString()));
        assertEquals("OutOfMemoryError IllegalStateException ", out);
    }

    /// Reads a file by a channel, twice.
    static class Waiting {
        public static void main(String[] args) throws IOException {
            var file = FileChannel.open(Path.of(args[0]));
            var channel = VerifiedChannel.of(file, ReadOptions.UNTRUSTED);
            ByteBuffer piece = ByteBuffer.allocate(1 << 16);
            for (int i = 0; i < 2; i++) {
                try {
                    while (channel.read(piece.clear()) >= 0) {}
                } catch (OutOfMemoryError | IllegalStateException e) {
                    System.out.print(e.getClass().getSimpleName() + " ");
                }
            }
        }
    }

    /// Also if the end of the body is above 2^63 - 1.
    @ParameterizedTest
    @ValueSource(longs = {1L << 20, 1L << 62, Long.MAX_VALUE - 7})
    @Timeout(60)
    void bodyThatIsClaimedEndsWithTheStream(long length) throws IOException {
        String batch = "stream <u:Utf8> | batch 1 " + text(8) + " => 1.bodyLength = " + length;
        for (ReadOptions.Level level : ReadOptions.Level.values()) {
            InputStream in = new ByteArrayInputStream(CaseFile.input(batch));
            try (BatchReader reader = Arrow.open(in, ReadOptions.VERIFY.withLevel(level))) {
                Column column = reader.column("u");
                assertRule(
                        FrameRule.BODY_OUT_OF_INPUT,
                        () -> {
                            reader.next();
                            column.text(0);
                        });
            }
        }
    }

    // ---- in the process

    /// A batch of a column of one text.
    private static String text(int bytes) {
        return "[1] [- i32(0 %d) zeros(%d)]".formatted(bytes, bytes);
    }

    private void write(String name, String stream) throws IOException {
        Files.write(folder.resolve(name), CaseFile.input("stream " + stream));
    }

    private void writeInputs() throws IOException {
        int views = 500_000;
        write(
                "0 many views",
                "<v:Utf8View> | batch 0 [0] [- - %s] {variadicBufferCounts=[%d]}"
                        .formatted("- ".repeat(views), views));
        String claiming = "<u:Utf8> | batch 1 " + text(8) + " => 1.bodyLength = ";
        write("1 claimed body", claiming + LONG_LENGTH);
        write("2 claimed body within the limit", claiming + LIMIT);
        write("3 long body", "<u:Utf8> | batch 1 " + text((int) LIMIT - 64));
        byte[] metadata = {-1, -1, -1, -1, 0, 0, 0, 0x70};
        Files.write(folder.resolve("4 claimed metadata"), metadata);
        write("5 bomb", "<u:Utf8> | batch zstd 1 " + text(24 << 20));
        String long4 = "- i32(0 %d) zeros(%d) ".formatted(5 << 20, 5 << 20).repeat(4);
        write("6 many bombs", "<u:Utf8 *4> | batch zstd 1 [1*4] [" + long4 + "]");
        write("7 repeated", "<u:Utf8> | batch 1 " + text(1 << 20));
        String words = "<u:Utf8{dictionary=DictionaryEncoding(id=3 indexType=Int(bitWidth=8))}>";
        String values = " 3 1 " + text(1 << 20);
        write("8 dictionary repeated", words + " | dictionary" + values);
        write("9 delta repeated", words + " | dictionary" + values + " | delta" + values);
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

    /// The last message, of 1 MiB, several times: more than the memory.
    private static InputStream repeated(File file, int times) throws IOException {
        byte[] stream = Files.readAllBytes(file.toPath());
        OracleMessage message = OracleListing.list(stream).messages().getLast();
        int last = (int) message.offset();
        int end = (int) message.endOffset();
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
                    List<ArrowField> columns = reader.schema().fields();
                    if (columns.size() == 1) {
                        reader.column(columns.getFirst().name());
                    }
                    while (reader.next()) {}
                }
            }
            return "sound";
        } catch (FletchException e) {
            return e.rule().id();
        }
    }
}
