// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.input.InputFiles;
import dev.fletch.ipc.walk.Work;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// Processes several inputs in parallel and prints their output in their order.
///
/// The first incomplete input has its turn: its text is printed at once. Texts of later inputs are kept.
/// If these exceed [#MAX_KEPT_CHARS], their threads wait for their turns. At most [#AHEAD_PER_THREAD]
/// inputs per thread are begun and not yet printed.
final class OrderedOutput {
    private static final int AHEAD_PER_THREAD = 8;
    private static final int MAX_KEPT_CHARS = 4 << 20;

    private final InputFiles files;
    private final PrintWriter out;
    private final Consumer<InputOutput> show;
    private final int threads;
    private final CountDownLatch over = new CountDownLatch(1);

    // Guarded by this object's lock. The first input has its turn.
    private final Deque<InputOutput> begun = new ArrayDeque<>();
    private int keptChars;
    private int ended;
    private int working;
    private Throwable failure;

    /// @param show processes an input; called by any thread
    OrderedOutput(InputFiles files, PrintWriter out, Consumer<InputOutput> show, int threads) {
        this.files = files;
        this.out = out;
        this.show = show;
        this.threads = threads;
        this.working = threads;
    }

    /// Processes all inputs; with one thread, on the caller's thread.
    ///
    /// @throws OutputClosed if writing fails; other threads may still run then
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
                InputOutput current = next;
                Work.watched(
                        Progress.MONITOR,
                        () -> {
                            show.accept(current);
                            return null;
                        });
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

    /// Ends an input and begins the next one.
    ///
    /// @param last the thread's previous input; null if there is none
    /// @return null if there are no more inputs
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

    /// Marks an input complete. If it has its turn, prints and ends it and all complete inputs after it.
    private void complete(InputOutput input) {
        input.complete();
        if (begun.peek() != input) {
            return;
        }
        while (!begun.isEmpty() && begun.peek().isComplete()) {
            InputOutput first = begun.peek();
            keptChars -= first.counted();
            first.writeTo(out);
            first.end();
            begun.remove();
            ended++;
        }
        tell();
        notifyAll();
    }

    /// Reports the input that has its turn as the current one.
    private void tell() {
        if (!begun.isEmpty()) {
            InputOutput first = begun.peek();
            Progress.at(first.file().name(), ended, files.count(), first.worker());
        }
    }

    /// Prints the text of an input in its turn; before its turn, keeps the text if there is room.
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

    /// Prints the text of an input and flushes, if it has its turn.
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

    /// Waits for the turn of an input.
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
