// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A process of `src/jmh/cpp/peer.cpp`, which repeats one task on one file on request, and measures
/// the time itself.
final class CppPeer implements AutoCloseable {
    private static final int MOST_ROUNDS = 1 << 30;

    private final Process process;
    private final String name;

    /// A response of the process.
    ///
    /// @param checksum of the data read or written
    /// @param nanoseconds of all rounds
    record Answer(long checksum, long nanoseconds) {}

    private CppPeer(Process process, String name) {
        this.process = process;
        this.name = name;
    }

    static CppPeer start(Path program, String task, Path input) throws IOException {
        List<String> command = List.of(program.toString(), task, input.toString());
        return new CppPeer(
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start(), task);
    }

    Answer ask(int rounds) throws IOException {
        BufferedOutputStream questions = new BufferedOutputStream(process.getOutputStream());
        questions.write(littleEndian(Integer.BYTES).putInt(rounds).array());
        questions.flush();
        byte[] answer = new byte[2 * Long.BYTES];
        try {
            new DataInputStream(process.getInputStream()).readFully(answer);
        } catch (IOException e) {
            throw new IOException("C++ peer failed: task=" + name, e);
        }
        ByteBuffer numbers = littleEndian(answer.length).put(answer).flip();
        return new Answer(numbers.getLong(), numbers.getLong());
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Measures a number of iterations of about this time each, after one warm-up iteration.
    ///
    /// @return nanoseconds per round, by iteration
    List<Double> measure(int iterations, long milliseconds) throws IOException {
        long wanted = TimeUnit.MILLISECONDS.toNanos(milliseconds);
        int rounds = 1;
        long took = ask(rounds).nanoseconds();
        while (took < wanted / 2 && rounds < MOST_ROUNDS) {
            double more = Math.clamp((double) wanted / Math.max(took, 1), 2, 16);
            rounds = (int) Math.min(MOST_ROUNDS, rounds * more);
            took = ask(rounds).nanoseconds();
        }
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < iterations; i++) {
            times.add((double) ask(rounds).nanoseconds() / rounds);
        }
        return times;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.destroy();
    }
}
