// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The official C++ verifier, in a process of its own that decides case after case:
/// `src/test/cpp/verify_cases.cpp`, which says what goes through the pipes.
///
/// For one thread at a time.
final class CppVerifier implements AutoCloseable {
    private static final String SOURCE = "src/test/cpp/verify_cases.cpp";
    private static final int PIPE_BYTES = 1 << 16;
    private static final int HEADER_BYTES = 16;
    private static final long END_SECONDS = 10;

    private final Process process;
    private final OutputStream cases;
    private final DataInputStream decisions;
    private final ByteBuffer header =
            ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private CppVerifier(Process process) {
        this.process = process;
        this.cases = new BufferedOutputStream(process.getOutputStream(), PIPE_BYTES);
        this.decisions = new DataInputStream(process.getInputStream());
    }

    /// Starts the program, compiled first if need be. Skips the calling test, with the reason,
    /// where the machine lacks what that takes.
    static CppVerifier start() {
        try {
            return new CppVerifier(
                    new ProcessBuilder(CppBuild.program(SOURCE, "-O2").toString())
                            .redirectError(Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns for each case whether it is accepted.
    boolean[] decide(List<VerifyCase> batch) {
        byte[] answers = new byte[batch.size()];
        try {
            header.clear().putInt(batch.size());
            cases.write(header.array(), 0, header.position());
            for (VerifyCase each : batch) {
                write(each);
            }
            cases.flush();
            decisions.readFully(answers);
        } catch (IOException e) {
            throw new UncheckedIOException("the C++ verifier ended: " + process, e);
        }
        boolean[] accepted = new boolean[answers.length];
        for (int i = 0; i < answers.length; i++) {
            accepted[i] = answers[i] != 0;
        }
        return accepted;
    }

    boolean decide(VerifyCase one) {
        return decide(List.of(one))[0];
    }

    private void write(VerifyCase each) throws IOException {
        header.clear()
                .put((byte) each.root().ordinal())
                .put((byte) (each.checkAlignment() ? 1 : 0))
                .putShort((short) 0)
                .putInt(each.maxDepth())
                .putInt((int) each.maxTables())
                .putInt(each.bytes().length);
        cases.write(header.array(), 0, header.position());
        cases.write(each.bytes());
    }

    /// Ends the program, which must not have found anything wrong with what it was given.
    @Override
    public void close() {
        try {
            cases.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the C++ verifier does not end: " + process);
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException("the C++ verifier failed: " + process);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
