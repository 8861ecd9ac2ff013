// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.format.write.SegmentList;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes of a list of segments, such as the body of a batch that was built.
public final class SegmentBytes {
    private SegmentBytes() {}

    public static byte[] of(SegmentList list) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < list.count(); i++) {
            MemorySegment part = list.segment(i).asSlice(list.offset(i), list.bytes(i));
            all.writeBytes(part.toArray(ValueLayout.JAVA_BYTE));
        }
        return all.toByteArray();
    }
}
