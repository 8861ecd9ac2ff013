// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.WriterScript.Step;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The same calls in the same order give the bytes of the official builder for Java.
class WriterAgreesTest {
    /// Calls of the random sequences, by kind.
    private static final Map<String, Integer> STEPS = new TreeMap<>();

    private static final FlatBufferWriter WRITER = new FlatBufferWriter().alignEmptyVectors(true);

    private static byte[] written(WriterScript script) {
        return WriterReplay.write(WRITER.reset(), script);
    }

    /// Which sequences they are depends on the seed alone; how many, on the run: see `pom.xml`.
    @Property(seed = "2026", edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void randomCallsGiveTheOfficialBytes(@ForAll("seeds") long seed) {
        WriterScript script = WriterScripts.random(seed);
        if (differs(script)) {
            fail(seed, script);
        }
        for (Step step : script.steps()) {
            STEPS.merge(step.getClass().getSimpleName(), 1, Integer::sum);
        }
    }

    @Provide
    Arbitrary<Long> seeds() {
        return Arbitraries.longs().withDistribution(RandomDistribution.uniform());
    }

    @AfterContainer
    static void printCounts() {
        CaseCount.report("Official builder: calls that agree %s", STEPS);
        assertEquals(6, STEPS.size());
    }

    private static boolean differs(WriterScript script) {
        return !Arrays.equals(WriterOfficial.write(script), written(script));
    }

    private static void fail(long seed, WriterScript script) {
        WriterScript smallest = WriterScript.shrink(script, WriterAgreesTest::differs);
        assertArrayEquals(
                WriterOfficial.write(smallest),
                written(smallest),
                () -> "seed " + seed + ", shrunk to " + smallest);
    }

    private static Map<WriterScript, byte[]> samples(int count) {
        Map<WriterScript, byte[]> official = new HashMap<>();
        WriterScripts.first(count).forEach(each -> official.put(each, WriterOfficial.write(each)));
        return official;
    }

    private static int samplesFor(String backing) {
        return backing.contains("file") ? 15 : 150; // each makes a file
    }

    /// Bytes that are not zero: what lies in a target does not matter.
    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xA5);
        return bytes;
    }

    /// The target is exactly as large as the buffer, or larger at its start.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void anySegmentIsATarget(SegmentBacking backing) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        samples(samplesFor(backing.name()))
                .forEach(
                        (script, expected) -> {
                            for (int spare : new int[] {0, 3, 200}) {
                                try (PlacedSegment placed =
                                        backing.place(filled(expected.length + spare))) {
                                    writer.wrap(placed.segment(), placed.offset(), placed.length());
                                    assertArrayEquals(expected, WriterReplay.write(writer, script));
                                    assertEquals(placed.offset() + spare, writer.offset());
                                    assertEquals(expected.length, writer.length());
                                    assertArrayEquals(
                                            expected, tail(placed.content(), expected.length));
                                    assertTrue(placed.surroundingsIntact());
                                }
                            }
                        });
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableBuffers")
    void anyByteBufferIsATarget(BufferBacking backing) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        samples(samplesFor(backing.name()))
                .forEach(
                        (script, expected) -> {
                            try (PlacedBuffer placed = backing.place(filled(expected.length + 5))) {
                                var buffer = placed.buffer();
                                int position = buffer.position();
                                int limit = buffer.limit();
                                writer.wrap(buffer);
                                assertArrayEquals(expected, WriterReplay.write(writer, script));
                                assertEquals(position + 5, writer.offset());
                                assertEquals(position, buffer.position());
                                assertEquals(limit, buffer.limit());
                                assertArrayEquals(
                                        expected, tail(placed.content(), expected.length));
                                assertArrayEquals(
                                        expected,
                                        writer.target()
                                                .asSlice(writer.offset(), writer.length())
                                                .toArray(ValueLayout.JAVA_BYTE));
                                writer.wrap(writer.target(), position, limit - position);
                                assertArrayEquals(expected, WriterReplay.write(writer, script));
                                assertArrayEquals(
                                        expected, tail(placed.content(), expected.length));
                                assertAround(buffer.duplicate().clear(), position, limit);
                            }
                        });
    }

    /// What a backing put around the content is still there.
    private static void assertAround(java.nio.ByteBuffer all, int position, int limit) {
        for (int i = 0; i < all.capacity(); i++) {
            if (i == position) {
                i = limit;
            }
            if (i < all.capacity()) {
                assertEquals(PlacedSegment.POISON, all.get(i), "byte " + i);
            }
        }
    }

    private static byte[] tail(byte[] bytes, int length) {
        return Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
    }

    /// One writer goes from memory to memory, each of another kind.
    @Test
    void aWriterChangesItsTarget() {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        WriterScript script = WriterScripts.random(7);
        byte[] expected = WriterOfficial.write(script);
        for (int round = 0; round < 3; round++) {
            for (SegmentBacking backing : Memories.writableSegments()) {
                try (PlacedSegment placed = backing.place(new byte[expected.length])) {
                    writer.wrap(placed.segment(), placed.offset(), placed.length());
                    assertArrayEquals(expected, WriterReplay.write(writer, script));
                    assertArrayEquals(expected, placed.content());
                }
                for (BufferBacking other : Memories.writableBuffers()) {
                    try (PlacedBuffer placed = other.place(new byte[expected.length])) {
                        writer.wrap(placed.buffer());
                        assertArrayEquals(expected, WriterReplay.write(writer, script));
                        assertArrayEquals(expected, placed.content());
                    }
                }
            }
        }
    }
}
