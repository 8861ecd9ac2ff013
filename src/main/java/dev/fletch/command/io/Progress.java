// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.WorkMonitor;
import dev.fletch.command.text.Terminal;
import dev.fletch.input.InputBytes;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/// Shows the current input and the share that is done, in one line on standard error. Starts after
/// one second, and only if standard error is a terminal; where standard output goes does not
/// matter.
///
/// The line is erased before other output to the terminal, at the end, and when the process is
/// interrupted. It is not shown after an unfinished line of output.
public final class Progress implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final int USUAL_WIDTH = 80;
    private static final long MEGABYTE = 1_000_000;
    private static final String ERASE = "\r\u001b[K";

    // Null for a command that does not report its inputs.
    private static volatile Shown shown;

    // How much of the shown input is done. The numbers change per message, and other threads need
    // not see them at once.
    private static final AtomicLong DONE = new AtomicLong();
    private static final AtomicLong TOTAL = new AtomicLong();

    /// Receives how much of the shown input is done.
    public static final WorkMonitor MONITOR = Progress::reached;

    private final OutputStream terminal;
    private final long start = System.nanoTime();
    private final Thread thread;
    private int width;
    private boolean isShown;
    private boolean isLineOpen;
    private boolean isOver;

    private record Shown(String name, int index, int count) {
        String text() {
            String of = count == 0 ? "" : " of " + count;
            String title = Escaper.text(InputBytes.title(name));
            return count == 1 ? title : "input " + (index + 1) + of + ", " + title;
        }
    }

    private Progress(OutputStream terminal) {
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().daemon().unstarted(this::show);
    }

    /// Starts the display on standard error if that is a terminal.
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

    /// Sets the shown input: the first one that is not complete.
    ///
    /// @param index number of complete inputs
    /// @param count number of inputs; 0 if unknown
    public static void at(String name, int index, int count) {
        shown = new Shown(name, index, count);
        DONE.setOpaque(0);
        TOTAL.setOpaque(0);
    }

    private static void reached(long done, long total) {
        DONE.setOpaque(done);
        TOTAL.setOpaque(total);
    }

    /// The share that is done, with a comma in front.
    ///
    /// @return a percentage, or megabytes (10^6 bytes) if the total is unknown; empty below one
    ///     megabyte
    static String share(long done, long all) {
        if (all > 0) {
            return String.format(Locale.ROOT, ", %d%%", Math.min(100, (long) (100.0 * done / all)));
        }
        return done < MEGABYTE ? "" : String.format(Locale.ROOT, ", %,d MB", done / MEGABYTE);
    }

    /// Returns the output of a descriptor, which then erases the progress line before each write.
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
            // Standard error is closed, or the command is done.
        }
    }

    private synchronized void line() throws IOException {
        if (isLineOpen || isOver) {
            return;
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        String share = share(DONE.getOpaque(), TOTAL.getOpaque());
        String front = String.format(Locale.ROOT, "fletch: %d s%s: ", seconds, share);
        String text = Terminal.cut(front + (shown == null ? "" : shown.text()), width - 1);
        terminal.write((ERASE + text).getBytes(StandardCharsets.UTF_8));
        isShown = true;
    }

    private void erase() throws IOException {
        if (isShown) {
            isShown = false;
            terminal.write(ERASE.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public synchronized void close() {
        thread.interrupt();
        isOver = true;
        try {
            erase();
        } catch (IOException _) {
            // Standard error is closed.
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
