// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.input.InputFiles;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Processes several inputs in parallel and prints their output in their order.
///
/// The first incomplete input has its turn: its text is printed at once. Texts of later inputs are
/// kept. If these exceed [#MAX_KEPT_CHARS], their threads wait for their turns. At most
/// [#AHEAD_PER_THREAD] inputs per thread are begun and not yet printed.
final class OrderedOutput {
    private static final int AHEAD_PER_THREAD = 8;
    private static final int MAX_KEPT_CHARS = 4 << 20;

    private final InputFiles files;
    private final PrintWriter out;
    private final Consumer<InputOutput> show;

    // The input that has its turn. Changed with this object's lock.
    private volatile InputOutput current;
    // Guarded by this object's lock.
    private int keptChars;

    /// @param show processes an input; called by any thread
    OrderedOutput(InputFiles files, PrintWriter out, Consumer<InputOutput> show) {
        this.files = files;
        this.out = out;
        this.show = show;
    }

    /// Processes all inputs; with one thread, on the caller's thread.
    ///
    /// @throws OutputClosed if writing fails; other threads may still run then
    void run(int threads) {
        if (threads == 1) {
            run(Runnable::run, 1);
            return;
        }
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().daemon().name("input-", 0).factory());
        try {
            run(pool, threads * AHEAD_PER_THREAD);
        } finally {
            pool.shutdownNow();
        }
    }

    /// @param limit the most inputs that are begun and not yet printed
    private void run(Executor executor, int limit) {
        Deque<InputOutput> begun = new ArrayDeque<>();
        int ended = 0;
        while (files.hasNext() || !begun.isEmpty()) {
            if (begun.size() < limit && files.hasNext()) {
                InputOutput next = new InputOutput(files.next(), this, show);
                begun.add(next);
                turn(begun.peek(), ended);
                executor.execute(next.task);
                continue;
            }
            InputOutput first = begun.remove();
            complete(first);
            ended++;
            if (!begun.isEmpty()) {
                turn(begun.peek(), ended);
            }
        }
    }

    private void turn(InputOutput first, int ended) {
        if (current == first) {
            return;
        }
        Progress.at(first.file.name(), ended, files.count());
        synchronized (this) {
            current = first;
            notifyAll();
        }
    }

    /// Waits for the end of the input that has its turn, prints the rest of its text, and ends it.
    private void complete(InputOutput first) {
        try {
            first.task.get();
        } catch (ExecutionException e) { // such as a closed output
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        print(first);
        first.end();
    }

    boolean hasTurn(InputOutput input) {
        return current == input;
    }

    /// Prints the text of an input in its turn; before its turn, keeps the text if there is room.
    void pass(InputOutput from) {
        synchronized (this) {
            if (current != from) {
                keptChars += from.count();
                if (keptChars <= MAX_KEPT_CHARS) {
                    return;
                }
                waitForTurn(from);
            }
        }
        print(from);
    }

    /// Prints the text of an input and flushes, if it has its turn.
    void flush(InputOutput from) {
        if (hasTurn(from)) {
            print(from);
            out.flush();
        }
    }

    private void print(InputOutput from) {
        synchronized (this) {
            keptChars -= from.counted;
        }
        from.writeTo(out);
    }

    /// Waits for the turn of an input.
    synchronized void waitForTurn(InputOutput input) {
        while (current != input) {
            try {
                wait();
            } catch (InterruptedException _) { // another input has failed to print
                throw new CancellationException();
            }
        }
    }
}
