// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.util.Arrays;

/// Several contents one behind the other, each at a multiple of 8: what is placed in one memory.
public final class Row {
    private final byte[] bytes;
    private final int[] offsets;
    private final int[] lengths;

    private Row(byte[]... parts) {
        lengths = Arrays.stream(parts).mapToInt(each -> each.length).toArray();
        offsets = new int[parts.length];
        int end = 0;
        for (int i = 0; i < parts.length; i++) {
            offsets[i] = end;
            end += Math.ceilDiv(lengths[i], Long.BYTES) * Long.BYTES;
        }
        bytes = new byte[end];
        for (int i = 0; i < parts.length; i++) {
            System.arraycopy(parts[i], 0, bytes, offsets[i], lengths[i]);
        }
    }

    public static Row of(byte[]... parts) {
        return new Row(parts);
    }

    public byte[] bytes() {
        return bytes;
    }

    public int count() {
        return lengths.length;
    }

    public int longest() {
        return Arrays.stream(lengths).max().orElse(0);
    }

    public int offset(int part) {
        return offsets[part];
    }

    public int length(int part) {
        return lengths[part];
    }
}
