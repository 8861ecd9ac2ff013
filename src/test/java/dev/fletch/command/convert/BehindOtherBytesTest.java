// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/// Files and streams behind other bytes: every command says what the input is, and salvage finds
/// the file or stream.
class BehindOtherBytesTest {
    private static final byte[] STREAM = TradesSample.stream();
    private static final byte[] FILE = TradesSample.file();

    @TempDir Path folder;

    private static Map<String, byte[]> heads() {
        Map<String, byte[]> heads = new LinkedHashMap<>();
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            byte[] four = ByteBuffer.allocate(4).order(order).putInt(STREAM.length).array();
            byte[] eight = ByteBuffer.allocate(8).order(order).putLong(STREAM.length).array();
            heads.put("four bytes, " + order, four);
            heads.put("eight bytes, " + order, eight);
        }
        heads.put("varint", new byte[] {(byte) 0xE8, (byte) 0xE0, 2});
        heads.put("gRPC", new byte[] {0, 0, 0, (byte) 0xB0, 0x68});
        String http =
                "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apache.arrow.stream\r\n\r\n";
        heads.put("HTTP", http.getBytes(StandardCharsets.US_ASCII));
        heads.put("chunk", "b068\r\n".getBytes(StandardCharsets.US_ASCII));
        heads.put("one byte", new byte[] {'\n'});
        heads.put("zeros", new byte[64]);
        byte[] most = new byte[64 << 10];
        new Random(58).nextBytes(most);
        heads.put("64 kB", most);
        return heads;
    }

    private Run run(byte[] bytes, String... call) throws IOException {
        Path in = Files.write(folder.resolve("in"), bytes);
        String[] all = Arrays.copyOf(call, call.length);
        for (int i = 0; i < all.length; i++) {
            all[i] = all[i].equals("IN") ? in.toString() : all[i].replace("OUT", folder + "/out");
        }
        return Cli.run(all);
    }

    @Test
    void everyCommandSaysWhatTheInputIsAndSalvageFindsIt() throws IOException {
        int cases = 0;
        for (var head : heads().entrySet()) {
            byte[] before = head.getValue();
            for (byte[] rest : new byte[][] {STREAM, FILE, Arrays.copyOf(FILE, 46_000)}) {
                boolean isFile = rest != STREAM;
                String kind = isFile ? "file" : "stream";
                byte[] bytes = Frames.join(before, rest);
                String title = head.getKey() + ", " + kind + ", " + rest.length;
                for (String command : Cli.INPUT_COMMANDS) {
                    Run run = run(bytes, command, "IN");
                    String place = kind + "Offset=" + before.length;
                    boolean isShown = command.equals("annotate");
                    assertEquals(1, run.status(), command + title);
                    assertTrue(isShown || (run.out() + run.err()).contains(place), command + title);
                }
                Run plain = run(bytes, "convert", "IN", "OUT.arrows");
                assertEquals(1, plain.status(), title);
                Run saved = run(bytes, "convert", "--salvage", "--force", "IN", "OUT.arrows");
                String note = " begins behind other bytes, and offsets count from there: offset=";
                assertTrue(saved.err().contains(kind + note + before.length), title + saved.err());
                assertEquals(0, saved.status(), saved.err());
                assertArrayEquals(STREAM, Files.readAllBytes(folder.resolve("out.arrows")), title);
                Files.delete(folder.resolve("out.arrows"));
                cases++;
            }
        }
        System.out.printf("Behind other bytes: %d inputs%n", cases);
    }

    @Test
    void nothingIsSearchedBehindMoreThan64Kilobytes() throws IOException {
        byte[] bytes = Frames.join("x".repeat(65_537).getBytes(StandardCharsets.US_ASCII), STREAM);
        Run run = run(bytes, "convert", "--salvage", "IN", "OUT.arrows");
        assertEquals(1, run.status());
        assertFalse(run.err().contains("Offset="), run.err());
        assertTrue(Files.notExists(folder.resolve("out.arrows")));
    }

    /// A file of which only the first magic is damaged is no file behind other bytes, even if a
    /// value is a file.
    @Test
    void aFileAmongTheValuesIsNotTaken() throws IOException {
        byte[] inner = Arrays.copyOf(FILE, 2_000);
        byte[] body = Frames.join(inner, new byte[Math.floorMod(-inner.length, 8)]);
        byte[] outer = FILE.clone();
        outer[0] = 0;
        System.arraycopy(body, 0, outer, 3_000, body.length);
        Run run = run(outer, "convert", "--salvage", "IN", "OUT.arrows");
        assertFalse(run.err().contains("begins behind"), run.err());
    }

    /// Each of many magics could begin a file, whose first message may be anywhere.
    @Test
    void manyMagicsAreNotAllExamined() {
        byte[] bytes = "xARROW1xx".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        var failure =
                assertThrows(
                        FletchException.class,
                        () -> Converted.of(bytes, ArrowContainer.STREAM, true));
        assertTrue(failure.getMessage().endsWith("format=text"), failure.getMessage());
    }
}
