// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.command.text.Terminal;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/// Writers for standard output and standard error: buffered, UTF-8 in every locale.
public final class StandardOutput {
    private StandardOutput() {}

    public static PrintWriter out(Progress progress) {
        return loud(progress.guard(bytes(), Terminal.OUTPUT));
    }

    public static PrintWriter err(Progress progress) {
        return writer(progress.guard(error(), Terminal.ERROR));
    }

    /// Unbuffered standard output, for binary data.
    public static OutputStream bytes() {
        return new FileOutputStream(FileDescriptor.out);
    }

    /// Unbuffered standard error.
    public static OutputStream error() {
        return new FileOutputStream(FileDescriptor.err);
    }

    /// A writer that throws [OutputClosed] on failure; a [PrintWriter] would hide it. It throws
    /// only once, so failure handlers can still flush.
    public static PrintWriter loud(OutputStream target) {
        return writer(
                new OutputStream() {
                    private boolean hasFailed;

                    @Override
                    public void write(int b) {
                        write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int count) {
                        if (!hasFailed) {
                            try {
                                target.write(bytes, from, count);
                            } catch (IOException e) {
                                hasFailed = true;
                                throw new OutputClosed(e);
                            }
                        }
                    }
                });
    }

    private static PrintWriter writer(OutputStream target) {
        return new PrintWriter(
                new BufferedWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8)));
    }
}
