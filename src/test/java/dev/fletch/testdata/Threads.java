// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/// Threads that begin their work at the same time.
public final class Threads {
    private Threads() {}

    /// What each of the threads does, by its number.
    public interface Work<T> {
        T of(int thread) throws Exception;
    }

    public static <T> List<Future<T>> start(int count, Work<T> work) {
        CountDownLatch begin = new CountDownLatch(count);
        List<Future<T>> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            FutureTask<T> task =
                    new FutureTask<>(
                            () -> {
                                begin.countDown();
                                begin.await();
                                return work.of(thread);
                            });
            Thread.ofPlatform().start(task);
            threads.add(task);
        }
        return threads;
    }

    /// Returns what the threads have come to.
    public static <T> List<T> results(int count, Work<T> work)
            throws ExecutionException, InterruptedException {
        List<T> results = new ArrayList<>();
        for (Future<T> each : start(count, work)) {
            results.add(each.get());
        }
        return results;
    }
}
