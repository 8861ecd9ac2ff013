// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// The most vtables that an input can ask for. By itself, so that a run with changed code, which
/// may search for ever, can do without.
class WriterManyVtablesTest {
    // Large heap memory, where unfinished buffers can be read.
    private final FlatBufferWriter writer =
            new FlatBufferWriter()
                    .alignEmptyVectors(true)
                    .wrap(MemorySegment.ofArray(new byte[1 << 26]));

    /// As many vtables as an input can ask for: of tables with all slots, in any order and of two
    /// sizes.
    @Test
    void manyVtablesAreSharedAndTakeLinearTime() {
        int tables = CaseCount.of(100_000, 400_000);
        Set<Integer> places = new HashSet<>();
        Set<String> contents = new HashSet<>();
        assertTimeout(
                Duration.ofSeconds(30),
                () -> {
                    for (int i = 0; i < 2 * tables; i++) {
                        int vtable = vtableOf(WriterVtablesTest.tableOf(writer, i % tables));
                        places.add(vtable);
                        contents.add(contentOf(vtable));
                    }
                });
        assertEquals(contents.size(), places.size());
        assertTrue(places.size() > tables / 2, "vtables=" + places.size());
        assertTimeout(
                Duration.ofSeconds(2),
                () -> {
                    for (int i = 0; i < 10_000; i++) {
                        writer.reset();
                        for (int table = 0; table < 17; table++) { // one more than are listed
                            WriterVtablesTest.tableOf(writer, table);
                        }
                    }
                },
                "to begin anew costs no more than what was written");
    }

    private String contentOf(int vtable) {
        char[] words = new char[get16(vtable) / 2];
        for (int i = 0; i < words.length; i++) {
            words[i] = (char) get16(vtable - 2 * i);
        }
        return new String(words);
    }

    /// Distance of the vtable from the end.
    private int vtableOf(int table) {
        return table + Wire.int32(null, writer.target(), end() - table);
    }

    private int get16(int distance) {
        return Wire.int16(null, writer.target(), end() - distance);
    }

    private long end() {
        return writer.target().byteSize();
    }
}
