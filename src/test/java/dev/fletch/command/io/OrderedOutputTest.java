// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.input.InputFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// What is kept of the inputs that do not have their turn yet, and what is not.
@Timeout(60)
class OrderedOutputTest {
    private static final int THREADS = 4;

    private final StringWriter out = new StringWriter();
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

    private void run(int inputs, Consumer<InputOutput> show) {
        List<String> names = IntStream.range(0, inputs).mapToObj(i -> "" + i).toList();
        new OrderedOutput(
                        new InputFiles(names, false, List.of()),
                        new PrintWriter(out),
                        input -> {
                            input.atEnd(() -> ended.add(input.file.name()));
                            show.accept(input);
                        })
                .run(THREADS);
    }

    private static int number(InputOutput input) {
        return Integer.parseInt(input.file.name());
    }

    @Test
    void outputIsInTheOrderOfTheInputs() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            expected.append((i + " ").repeat(i % 7 * 1_500)).append(i).append('\n');
        }
        run(
                1_000,
                input -> {
                    for (int i = 0; i < number(input) % 7 * 1_500; i++) {
                        input.print(number(input) + " ");
                    }
                    input.print(number(input) + "\n");
                });
        assertEquals(expected.toString(), out.toString());
        assertEquals(IntStream.range(0, 1_000).mapToObj(i -> "" + i).toList(), ended);
    }

    /// All others write as much as they can before the first one ends.
    @Test
    void outputKeptForASlowInputIsLimited() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        AtomicLong written = new AtomicLong();
        AtomicInteger begun = new AtomicInteger();
        String piece = "x".repeat(1 << 16);
        Thread runner =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        run(
                                                20,
                                                input -> {
                                                    begun.incrementAndGet();
                                                    if (number(input) == 0) {
                                                        await(first);
                                                        return;
                                                    }
                                                    for (int i = 0; i < 64; i++) {
                                                        input.print(piece);
                                                        written.addAndGet(piece.length());
                                                    }
                                                }));
        long before;
        do {
            before = written.get();
            Thread.sleep(500);
        } while (written.get() > before);
        assertTrue(written.get() > 1 << 20, "nothing is kept: " + written);
        assertTrue(written.get() < 8 << 20, "too much is kept: " + written);
        assertEquals("", out.toString());
        first.countDown();
        runner.join();
        assertEquals(20, begun.get());
        assertEquals(19L * 64 * piece.length(), out.getBuffer().length());
    }

    /// What it has flushed appears while it is still at work.
    @Test
    void firstInputIsWrittenAtOnce() {
        run(
                1,
                input -> {
                    input.println("first");
                    assertEquals("", out.toString());
                    input.flush();
                    assertEquals("first" + System.lineSeparator(), out.toString());
                });
        assertEquals(List.of("0"), ended);
    }

    @Test
    void whatALaterInputFlushesWaitsForItsTurn() {
        CountDownLatch flushed = new CountDownLatch(1);
        run(
                2,
                input -> {
                    if (number(input) == 1) {
                        input.print("second");
                        input.flush();
                        flushed.countDown();
                        return;
                    }
                    await(flushed);
                    assertEquals("", out.toString());
                    input.print("first, ");
                });
        assertEquals("first, second", out.toString());
    }

    @Test
    void closedOutputEndsWaitingInputs() {
        OutputClosed closed = new OutputClosed(new IOException("Broken pipe"));
        AtomicInteger begun = new AtomicInteger();
        OutputClosed thrown =
                assertThrows(
                        OutputClosed.class,
                        () ->
                                run(
                                        1_000,
                                        input -> {
                                            begun.incrementAndGet();
                                            if (number(input) == 0) {
                                                throw closed;
                                            }
                                            input.waitForTurn();
                                        }));
        assertSame(closed, thrown);
        assertTrue(begun.get() <= 8 * THREADS, "begun: " + begun);
        assertEquals(List.of(), ended);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
