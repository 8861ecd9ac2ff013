// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// Where another stream may begin behind an end-of-stream marker.
class MessageWalkTest {
    @ParameterizedTest
    @CsvSource({
        "0, ffffffff70000000",
        "4, 00000000ffffffff70000000",
        "5, 0000000000ffffffff70000000",
        "12, 00000000ffffffff00000000ffffffff70000000",
        "0, 740000001000000000000000",
        "0, 000100001000000000000000",
        "8, 0000000000000000000100001000000000000000",
        "4, 00000000"
    })
    void zerosOfALengthAreNotPassed(long expected, String behind) {
        MemorySegment memory = MemorySegment.ofArray(HexFormat.of().parseHex(behind));
        assertEquals(expected, MessageWalk.behindMarkers(memory, 0, memory.byteSize()));
    }
}
