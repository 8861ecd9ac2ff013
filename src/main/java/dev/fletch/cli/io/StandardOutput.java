// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.cli.text.Terminal;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// Writers for standard output and standard error: buffered, and UTF-8 whatever the locale.
public final class StandardOutput {
    private StandardOutput() {}

    public static PrintWriter out(Progress progress) {
        return loud(progress.guard(bytes(), Terminal.OUTPUT));
    }

    /// Standard output as it is, for what is no text.
    public static OutputStream bytes() {
        return new FileOutputStream(FileDescriptor.out);
    }

    /// Standard error as it is.
    public static OutputStream error() {
        return new FileOutputStream(FileDescriptor.err);
    }

    public static PrintWriter err(Progress progress) {
        return new PrintWriter(utf8(progress.guard(error(), Terminal.ERROR)));
    }

    /// A writer that throws [OutputClosed] where a [PrintWriter] would go on in silence.
    public static PrintWriter loud(OutputStream target) {
        return new PrintWriter(new Loud(utf8(target)));
    }

    private static Writer utf8(OutputStream target) {
        return new BufferedWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8));
    }

    /// A print writer swallows nothing but an [IOException].
    ///
    /// Throws once: whoever tidies up behind a failure would otherwise meet it again.
    private static final class Loud extends FilterWriter {
        private boolean hasFailed;

        Loud(Writer target) {
            super(target);
        }

        /// What is done with the target.
        @FunctionalInterface
        private interface Action {
            void run() throws IOException;
        }

        private void attempt(Action action) {
            if (hasFailed) {
                return;
            }
            try {
                action.run();
            } catch (IOException e) {
                hasFailed = true;
                throw new OutputClosed(e);
            }
        }

        @Override
        public void write(int c) {
            attempt(() -> out.write(c));
        }

        @Override
        public void write(char[] chars, int from, int count) {
            attempt(() -> out.write(chars, from, count));
        }

        @Override
        public void write(String text, int from, int count) {
            attempt(() -> out.write(text, from, count));
        }

        @Override
        public void flush() {
            attempt(out::flush);
        }
    }
}
