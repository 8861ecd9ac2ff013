// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A program of `src/test/cpp` that uses the C++ library: each frame that it is sent it answers
/// with one.
public final class WriterCppProgram implements AutoCloseable {
    private static final Path SOURCES = Path.of("src/test/cpp");
    private static final long TIMEOUT_SECONDS = 120;

    private final Process process;
    private final OutputStream in;
    private final DataInputStream out;

    private WriterCppProgram(Process process) {
        this.process = process;
        this.in = new BufferedOutputStream(process.getOutputStream());
        this.out = new DataInputStream(process.getInputStream());
    }

    /// Compiles and starts a program. Skips the calling test, with the reason, where the machine
    /// has no C++ compiler or not the library's headers.
    ///
    /// @param folder scratch, where `#include` looks too
    public static WriterCppProgram start(String name, Path folder)
            throws IOException, InterruptedException {
        assumeTrue(run(folder, "g++", "--version") == 0, "no g++ on this machine");
        Path probe = folder.resolve("probe.cpp");
        Files.writeString(probe, "#include <flatbuffers/flatbuffers.h>\n");
        assumeTrue(
                run(folder, "g++", "-fsyntax-only", probe.toString()) == 0,
                "no flatbuffers/flatbuffers.h on this machine (Debian: libflatbuffers-dev)");
        String source = SOURCES.resolve(name + ".cpp").toString();
        String program = folder.resolve(name).toString();
        assertRuns(
                folder, "g++", "-std=c++17", "-O1", "-I", folder.toString(), "-o", program, source);
        return new WriterCppProgram(
                new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /// Runs a command that has to succeed.
    public static void assertRuns(Path folder, String... command)
            throws IOException, InterruptedException {
        int status = run(folder, command);
        String log = Files.readString(folder.resolve("log"));
        assertEquals(0, status, () -> String.join(" ", command) + "\n" + log);
    }

    /// Runs a command, and returns its exit status; -1 if there is no such program.
    public static int run(Path folder, String... command) throws InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("log").toFile())
                            .start();
        } catch (IOException e) {
            return -1;
        }
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("did not end: " + String.join(" ", command));
        }
        return process.exitValue();
    }

    /// Sends a frame and waits for the answer.
    public byte[] answer(byte[] frame) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        in.write(length.putInt(frame.length).array());
        in.write(frame);
        in.flush();
        byte[] answer = new byte[Integer.reverseBytes(out.readInt())];
        out.readFully(answer);
        return answer;
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.destroy();
    }
}
