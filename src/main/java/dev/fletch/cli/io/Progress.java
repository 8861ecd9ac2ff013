// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.cli.text.Terminal;
import dev.fletch.input.InputBytes;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/// Tells on standard error which input is being worked on and how much of it is done, once the work
/// takes more than a second. Only where standard error is a terminal, whatever is printed and wherever
/// that goes.
///
/// It is one line that vanishes before anything else is written to the terminal, and in the end, also
/// when the process is interrupted. A line of output that is not finished yet is left alone.
public final class Progress implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int USUAL_WIDTH = 80;
    private static final long MEGABYTE = 1_000_000;
    private static final String ERASE = "\r\u001b[K";

    // What the commands say, from whichever object they are at. The numbers are set for each
    // message, and need not be seen at once. Null for a command that says nothing of its inputs.
    private static volatile Work work;
    private static final AtomicLong DONE = new AtomicLong();
    private static final AtomicLong ALL = new AtomicLong();

    private final OutputStream terminal;
    private final long start = System.nanoTime();
    private final Thread thread;
    private int width;
    private boolean isShown;
    private boolean isLineOpen;
    private boolean isOver;

    /// @param thread that works on the input
    private record Work(String name, int index, int count, Thread thread) {
        String text() {
            String of = count == 0 ? "" : " of " + count;
            String title = Escaper.text(InputBytes.title(name));
            return count == 1 ? title : index + 1 + of + ", " + title;
        }
    }

    private Progress(OutputStream terminal) {
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().daemon().unstarted(this::show);
    }

    /// Starts to watch, if there is a terminal to tell it on.
    ///
    /// @param error standard error
    public static Progress on(OutputStream error) {
        boolean isUseful =
                Terminal.isTerminal(Terminal.ERROR) && !"dumb".equals(System.getenv("TERM"));
        Progress progress = new Progress(isUseful ? error : null);
        if (isUseful) {
            progress.thread.start();
            Runtime.getRuntime().addShutdownHook(new Thread(progress::close));
        }
        return progress;
    }

    /// Says which input is the first that is not complete. Only what its thread has reached is shown.
    ///
    /// @param index how many inputs are complete
    /// @param count how many there are; 0 if that is not known
    static void at(String name, int index, int count, Thread thread) {
        work = new Work(name, index, count, thread);
        DONE.setOpaque(0);
        ALL.setOpaque(0);
    }

    /// Says how far the work on the input has come.
    ///
    /// @param done bytes or messages; 0 if that is not known
    /// @param all how many there are; 0 if that is not known, and what is done is bytes
    public static void reached(long done, long all) {
        Work shown = work;
        if (shown == null || shown.thread == Thread.currentThread()) {
            DONE.setOpaque(done);
            ALL.setOpaque(all);
        }
    }

    /// What is known of how far the work has come, with a comma in front.
    ///
    /// @return nothing, a percentage, or decimal megabytes
    static String share(long done, long all) {
        if (all > 0) {
            return String.format(
                    Locale.ROOT, ", %d %%", Math.min(100, (long) (100.0 * done / all)));
        }
        return done < MEGABYTE ? "" : String.format(Locale.ROOT, ", %,d MB", done / MEGABYTE);
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
        if (isLineOpen || isOver) {
            return;
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        String front = String.format(Locale.ROOT, "fletch: %d s%s: ", seconds, share());
        String text = Terminal.cut(front + (work == null ? "" : work.text()), width - 1);
        terminal.write((ERASE + text).getBytes(StandardCharsets.UTF_8));
        isShown = true;
    }

    private static String share() {
        return share(DONE.getOpaque(), ALL.getOpaque());
    }

    private synchronized void erase() throws IOException {
        if (isShown) {
            isShown = false;
            terminal.write(ERASE.getBytes(StandardCharsets.UTF_8));
        }
    }

    private synchronized void end() throws IOException {
        isOver = true;
        erase();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            end();
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
