// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// Runs README's examples that take messages from elsewhere, compiled from the very text: the ring
/// in shared memory, and the buffers of a network stack.
@Timeout(120)
@Isolated("counts allocations")
class ReadmeInputsTest {
    private static final int DATA = 128;
    private static final int MAX_BATCH_BYTES = 8 + 584 + 21_040;
    private static final int ROWS = 800;

    private static Class<?> writer;
    private static Class<?> reader;
    private static Class<?> incoming;
    private static byte[] stream;

    @TempDir Path folder;

    @BeforeAll
    static void compile(@TempDir Path classes) throws Exception {
        final List<String> call =
                new ArrayList<>(
                        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d"));
        call.add(classes.toString());
        for (String name : List.of("RingWriter", "RingReader", "Incoming")) {
            call.add(
                    Files.writeString(classes.resolve(name + ".java"), Examples.source(name))
                            .toString());
        }
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, call.toArray(String[]::new)));
        try (URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL()},
                        ReadmeInputsTest.class.getClassLoader())) {
            writer = loader.loadClass("RingWriter");
            reader = loader.loadClass("RingReader");
            incoming = loader.loadClass("Incoming");
        }
        stream =
                Files.readAllBytes(
                        House.root().resolve("src/test/resources/samples/trades.stream"));
    }

    // ---- the ring

    private static MethodHandle offer() throws ReflectiveOperationException {
        return MethodHandles.lookup()
                .findStatic(
                        writer,
                        "offer",
                        MethodType.methodType(
                                boolean.class, MemorySegment.class, MemorySegment.class));
    }

    private static MethodHandle poll() throws ReflectiveOperationException {
        return MethodHandles.lookup()
                .bind(
                        reader.getConstructor().newInstance(),
                        "poll",
                        MethodType.methodType(long.class, MemorySegment.class));
    }

    private MemorySegment map(long bytes, Arena arena) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        folder.resolve("ring"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    /// The sample's messages, each with its frame.
    private static List<MemorySegment> messages() {
        final List<MemorySegment> messages = new ArrayList<>();
        final int[] bodies = {0, 56, 13_240, 21_040, 7_984};
        int at = 0;
        for (int body : bodies) {
            final int metadata =
                    ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 4);
            final int end = at + 8 + metadata + body;
            messages.add(MemorySegment.ofArray(Arrays.copyOfRange(stream, at, end)));
            at = end;
        }
        assertEquals(stream.length - 8, at);
        return messages;
    }

    /// Sizes at which messages meet the ring's end in many ways.
    @ParameterizedTest
    @CsvSource({"43264", "43272", "50000", "65536", "1000000"})
    void writerAndReaderOfAMappedRing(int size) throws Exception {
        final int laps = 400;
        final int bytes = DATA + size / 8 * 8;
        assertTrue(size >= 2 * MAX_BATCH_BYTES);
        try (Arena arena = Arena.ofShared();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            final MemorySegment mine = map(bytes, arena);
            final MemorySegment others = map(bytes, arena);
            final MethodHandle offer = offer();
            final Future<?> written = thread.submit(() -> write(laps, offer, others));
            final MethodHandle poll = poll();
            long rows = 0;
            while (rows < (long) laps * ROWS) {
                final long more = invoke(poll, mine);
                rows += more;
                if (more == 0) {
                    assertTrue(!written.isDone() || written.get() == null);
                    Thread.onSpinWait();
                }
            }
            written.get();
            assertEquals((long) laps * ROWS, rows + invoke(poll, mine));
        }
    }

    private static void write(int laps, MethodHandle offer, MemorySegment ring) {
        final List<MemorySegment> messages = messages();
        for (int i = 0; i < laps; i++) {
            for (MemorySegment each : messages) {
                while (!offered(offer, each, ring)) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static boolean offered(MethodHandle offer, MemorySegment message, MemorySegment ring) {
        try {
            return (boolean) offer.invokeExact(message, ring);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static long invoke(MethodHandle poll, MemorySegment ring) {
        try {
            return (long) poll.invokeExact(ring);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /// A full ring is refused, and what was there before stays.
    @Test
    void fullRing() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment ring = map(DATA + 43_264, arena);
            final MethodHandle offer = offer();
            final MethodHandle poll = poll();
            final MemorySegment batch = messages().get(3);
            assertTrue(offered(offer, batch, ring));
            assertTrue(offered(offer, batch, ring));
            assertEquals(false, offered(offer, batch, ring));
            assertEquals(800, invoke(poll, ring));
            assertTrue(offered(offer, batch, ring));
            assertEquals(400, invoke(poll, ring));
            assertEquals(0, invoke(poll, ring));
        }
    }

    @Test
    void readerOfTheRingAllocatesNothing() throws Exception {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment ring = map(DATA + 65_536, arena);
            final MethodHandle offer = offer();
            final MethodHandle poll = poll();
            final List<MemorySegment> messages = messages();
            long allocated = Long.MAX_VALUE;
            // The first rounds are those of a JVM that still compiles.
            for (int round = 0; round < 20 && allocated > 0; round++) {
                allocated = 0;
                for (int i = 0; i < 1_000; i++) {
                    assertTrue(offered(offer, messages.get(i % messages.size()), ring));
                    final long before = threads.getCurrentThreadAllocatedBytes();
                    final long rows = invoke(poll, ring);
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                    assertEquals(List.of(0, 0, 250, 400, 150).get(i % 5).longValue(), rows);
                }
            }
            assertEquals(0, allocated);
        }
    }

    @Test
    void readerOfTheRingRefusesWhatDoesNotVerify() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment ring = map(DATA + 65_536, arena);
            final byte[] damaged = messages().get(2).toArray(ValueLayout.JAVA_BYTE);
            Arrays.fill(damaged, 8, 16, (byte) 0x7f);
            assertTrue(offered(offer(), MemorySegment.ofArray(damaged), ring));
            final MethodHandle poll = poll();
            assertThrows(FlatBufferFormatException.class, () -> invoke(poll, ring));
        }
    }

    // ---- the network's buffers

    /// Chunks of each size, into a buffer that is smaller than most bodies.
    @ParameterizedTest
    @CsvSource({
        "1,1024,false",
        "7,1024,true",
        "8,880,true",
        "600,880,false",
        "1024,1024,true",
        "100000,100000,false",
        "100000,100000,true"
    })
    void streamInChunks(int chunk, int capacity, boolean direct) throws Exception {
        assertReceived(stream, 8, chunk, capacity, direct);
        assertReceived(legacyStream(), 4, chunk, capacity, direct);
    }

    /// A stream of an old writer, as it wrote it.
    @ParameterizedTest
    @CsvSource({"1,4096", "7,4096", "4096,4096", "100000,100000"})
    void streamOfAnOldWriter(int chunk, int capacity) throws Exception {
        Goldens.assumePresent();
        final Path golden =
                Goldens.all().stream()
                        .filter(path -> path.endsWith("0.14.1/generated_primitive.stream"))
                        .findFirst()
                        .orElseThrow();
        final byte[] bytes = Files.readAllBytes(golden);
        assertTrue(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt() > 0);
        final Object receiver = receive(bytes, 4, chunk, capacity, false);
        assertEquals(17L + 20, incoming.getField("rows").get(receiver)); // as its JSON has them
    }

    /// The sample without continuation words.
    private static byte[] legacyStream() {
        final ByteArrayOutputStream legacy = new ByteArrayOutputStream();
        for (MemorySegment message : messages()) {
            final byte[] bytes = message.toArray(ValueLayout.JAVA_BYTE);
            legacy.write(bytes, 4, bytes.length - 4);
        }
        legacy.write(new byte[4], 0, 4);
        return legacy.toByteArray();
    }

    private static void assertReceived(
            byte[] bytes, int endBytes, int chunk, int capacity, boolean direct) throws Exception {
        final Object receiver = receive(bytes, endBytes, chunk, capacity, direct);
        assertEquals((long) ROWS, incoming.getField("rows").get(receiver));
    }

    private static Object receive(
            byte[] bytes, int endBytes, int chunk, int capacity, boolean direct) throws Exception {
        final Object receiver = incoming.getConstructor().newInstance();
        final ByteBuffer buffer =
                direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
        int at = 0;
        while (at < bytes.length) {
            final int some = Math.min(Math.min(chunk, buffer.remaining()), bytes.length - at);
            assertTrue(some > 0, "stuck");
            buffer.put(bytes, at, some).flip();
            incoming.getMethod("received", ByteBuffer.class).invoke(receiver, buffer);
            buffer.compact();
            at += some;
        }
        assertEquals(endBytes, buffer.position(), "the mark at the end");
        return receiver;
    }

    @Test
    void metadataThatNeverFitsIsRefused() throws Exception {
        final Object receiver = incoming.getConstructor().newInstance();
        final ByteBuffer buffer = ByteBuffer.allocate(512).put(stream, 0, 512).flip();
        final Exception failure =
                assertThrows(
                        ReflectiveOperationException.class,
                        () ->
                                incoming.getMethod("received", ByteBuffer.class)
                                        .invoke(receiver, buffer));
        assertNotNull(failure.getCause());
        assertTrue(
                failure.getCause() instanceof FlatBufferFormatException,
                () -> "" + failure.getCause());
    }
}
