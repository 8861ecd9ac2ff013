// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.testdata.Goldens;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The mutated cases of a run, and the threads that go through them. Seed and number of cases are
/// set by system properties, for longer runs and for those that have to be seen again.
///
/// @param seed of the run
/// @param count number of cases
/// @param seeds what is mutated
record Cases(long seed, long count, List<Seed> seeds) {
    private static final int BATCH = 2_000;
    private static final int MAX_THREADS = 4;

    /// Goes through a part of the cases.
    ///
    /// @param <R> what comes out
    @FunctionalInterface
    interface Worker<R> {
        /// @param mutator makes the cases
        /// @param part their numbers, in batches
        R work(Mutator mutator, Iterable<Batch> part) throws Exception;
    }

    /// Numbers of cases, from `first` to just before `end`.
    record Batch(long first, long end) {}

    /// Returns the run that the system properties `fletch.differential.seed` and `.cases` ask for.
    static Cases ofProperties(long seed, long count) {
        return new Cases(
                Long.getLong("fletch.differential.seed", seed),
                Long.getLong("fletch.differential.cases", count),
                Seeds.all(Goldens.present()));
    }

    /// Goes through all cases, each worker in a thread of its own.
    <R> List<R> inParallel(Worker<R> worker) {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<R>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                List<Batch> part = part(i, threads);
                futures.add(executor.submit(() -> worker.work(new Mutator(seeds, seed), part)));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> future : futures) {
                results.add(result(future));
            }
            return results;
        }
    }

    private static <R> R result(Future<R> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            // What skips or fails a test does so in the test's own thread.
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new AssertionError(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private List<Batch> part(int number, int of) {
        List<Batch> part = new ArrayList<>();
        for (long first = (long) number * BATCH; first < count; first += (long) of * BATCH) {
            part.add(new Batch(first, Math.min(count, first + BATCH)));
        }
        return part;
    }

    @Override
    public String toString() {
        return "seed %d, %d cases of %d seeds (golden files %s)"
                .formatted(seed, count, seeds.size(), Goldens.present() ? "among them" : "absent");
    }
}
