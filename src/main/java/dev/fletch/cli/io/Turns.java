// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.input.InputFiles;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// Works on several inputs at once, and prints what is written about them in their order.
///
/// The first input that is not complete has its turn: its text is printed at once. Texts of the inputs
/// behind are kept. If these become too long, the thread of an input waits for its turn; if too many
/// inputs are complete, no other one is begun.
final class Turns {
    private static final int AHEAD_PER_THREAD = 8;
    private static final int MAX_KEPT_CHARS = 4 << 20;

    private final InputFiles files;
    private final PrintWriter out;
    private final Consumer<InputOutput> show;
    private final Consumer<InputOutput> end;
    private final int threads;
    private final CountDownLatch over = new CountDownLatch(1);

    // Guarded by this object's lock. The first of these has its turn.
    private final Deque<InputOutput> begun = new ArrayDeque<>();
    private int keptChars;
    private int ended;
    private int working;
    private Throwable failure;

    /// @param show shows an input; called by any thread
    /// @param end called in the order of the inputs, when one is complete and printed
    Turns(
            InputFiles files,
            PrintWriter out,
            Consumer<InputOutput> show,
            Consumer<InputOutput> end,
            int threads) {
        this.files = files;
        this.out = out;
        this.show = show;
        this.end = end;
        this.threads = threads;
        this.working = threads;
    }

    /// Works on all inputs, on the caller's thread if there is to be only one.
    ///
    /// @throws OutputClosed if the output takes no more; threads may still be at their inputs then
    void run() {
        if (threads == 1) {
            work();
        } else {
            for (int i = 0; i < threads; i++) {
                Thread.ofPlatform().daemon().name("input-" + i).start(this::work);
            }
        }
        try {
            over.await();
        } catch (InterruptedException e) {
            stop(e);
        }
        synchronized (this) {
            switch (failure) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
        }
    }

    private void work() {
        try {
            for (InputOutput next = next(null); next != null; next = next(next)) {
                show.accept(next);
            }
        } catch (Throwable e) { // such as a closed output
            stop(e);
        }
        synchronized (this) {
            working--;
            if (working == 0) {
                over.countDown();
            }
        }
    }

    private synchronized void stop(Throwable reason) {
        failure = failure == null ? reason : failure;
        over.countDown();
        notifyAll();
    }

    /// Ends an input and begins with the next one.
    ///
    /// @param last null for the first one of a thread
    /// @return null if there is none
    private synchronized InputOutput next(InputOutput last) {
        if (last != null) {
            complete(last);
        }
        while (begun.size() >= threads * AHEAD_PER_THREAD) {
            pause();
        }
        if (failure != null || !files.hasNext()) {
            return null;
        }
        InputOutput next = new InputOutput(files.next(), this);
        begun.add(next);
        if (begun.peek() == next) {
            tell();
        }
        return next;
    }

    /// If an input has its turn, ends it and those behind it that are complete.
    private void complete(InputOutput input) {
        input.complete();
        if (begun.peek() != input) {
            return;
        }
        while (!begun.isEmpty() && begun.peek().isComplete()) {
            InputOutput first = begun.peek();
            keptChars -= first.counted();
            first.writeTo(out);
            end.accept(first);
            begun.remove();
            ended++;
        }
        tell();
        notifyAll();
    }

    /// Shows the progress of the input that has its turn.
    private void tell() {
        if (!begun.isEmpty()) {
            InputOutput first = begun.peek();
            Progress.at(first.file().name(), ended, files.count(), first.worker());
        }
    }

    /// Prints what is written about an input, or keeps it if there is room.
    void pass(InputOutput from) {
        synchronized (this) {
            if (begun.peek() != from) {
                keptChars += from.count();
                if (keptChars <= MAX_KEPT_CHARS) {
                    return;
                }
                waitForTurn(from);
            }
            keptChars -= from.counted();
        }
        from.writeTo(out);
    }

    /// Prints what is written about an input at once, if it has its turn.
    void flush(InputOutput from) {
        synchronized (this) {
            if (begun.peek() != from) {
                return;
            }
            keptChars -= from.counted();
        }
        from.writeTo(out);
        out.flush();
    }

    /// Waits until an input has its turn.
    synchronized void waitForTurn(InputOutput input) {
        while (begun.peek() != input) {
            pause();
        }
    }

    private void pause() {
        try {
            if (failure == null) {
                wait();
            }
        } catch (InterruptedException e) {
            stop(e);
        }
        if (failure != null) {
            throw new CancellationException();
        }
    }
}
