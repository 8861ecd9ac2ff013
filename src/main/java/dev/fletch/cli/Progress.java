// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/// Tells on standard error which input is being worked on, once the work takes more than a second.
/// Only where standard error is a terminal, whatever is printed and wherever that goes.
///
/// It is one line that vanishes before anything else is written to the terminal, and in the end. A
/// line of output that is not finished yet is left alone.
final class Progress implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int USUAL_WIDTH = 80;
    private static final String ERASE = "\r\u001b[K";

    // What the commands say, from whichever object they are at.
    private static volatile String work = "";

    private final OutputStream terminal;
    private final long start = System.nanoTime();
    private final Thread thread;
    private int width;
    private boolean isShown;
    private boolean isLineOpen;

    private Progress(OutputStream terminal) {
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().daemon().unstarted(this::show);
    }

    /// Starts to watch, if there is a terminal to tell it on.
    ///
    /// @param error standard error
    static Progress on(OutputStream error) {
        boolean isUseful =
                Terminal.isTerminal(Terminal.ERROR) && !"dumb".equals(System.getenv("TERM"));
        Progress progress = new Progress(isUseful ? error : null);
        if (isUseful) {
            progress.thread.start();
        }
        return progress;
    }

    /// Says what is being worked on.
    static void at(String name, int index, int count) {
        String title = Printable.text(InputBytes.title(name));
        work =
                count == 1
                        ? title
                        : String.format(Locale.ROOT, "%d of %d, %s", index + 1, count, title);
    }

    /// An output that the line makes room for.
    ///
    /// @param file descriptor that the output writes to
    OutputStream guard(OutputStream output, int file) {
        return terminal == null || !Terminal.isTerminal(file) ? output : new Guarded(output);
    }

    private void show() {
        try {
            Thread.sleep(PATIENCE);
            width = Math.min(USUAL_WIDTH, Terminal.width(Terminal.ERROR));
            while (true) {
                line();
                Thread.sleep(PERIOD);
            }
        } catch (IOException | InterruptedException _) {
            // Nobody sees it, or the work is done.
        }
    }

    private synchronized void line() throws IOException {
        if (isLineOpen || Thread.interrupted()) {
            return;
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        String text = String.format(Locale.ROOT, "fletch: %d s: %s", seconds, work);
        int end = Math.min(text.length(), width - 1);
        terminal.write((ERASE + text.substring(0, end)).getBytes(StandardCharsets.UTF_8));
        isShown = true;
    }

    private synchronized void erase() throws IOException {
        if (isShown) {
            isShown = false;
            terminal.write(ERASE.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            erase();
        } catch (IOException _) {
            // Then nobody sees the line either.
        }
    }

    private final class Guarded extends OutputStream {
        private final OutputStream output;

        Guarded(OutputStream output) {
            this.output = output;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            synchronized (Progress.this) {
                erase();
                output.write(bytes, from, count);
                isLineOpen = count == 0 ? isLineOpen : bytes[from + count - 1] != '\n';
            }
        }
    }
}
