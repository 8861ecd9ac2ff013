// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// An input with edits, that knows for each byte where it was before them.
public final class EditedInput {
    private static final int NEW = -1;

    /// A kind of edit.
    public enum Edit {
        REMOVE,
        INSERT_ZEROS,
        INSERT_RANDOM,
        REPEAT,
        ZERO,
        SWAP,
        OVERWRITE,
        INVERT,
        /// Removes all behind a place, whatever the size.
        CUT;

        /// Whether all bytes that are not edited stay where they are.
        public boolean keepsPlaces() {
            return this == ZERO || this == OVERWRITE || this == INVERT || this == CUT;
        }

        /// The name in a table.
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// Bytes from `start` to `end`.
    public record Range(int start, int end) {
        int length() {
            return end - start;
        }
    }

    private final byte[] original;
    private byte[] bytes;
    // For each byte its offset in the original.
    private int[] from;

    /// @param original without edits
    public EditedInput(byte[] original) {
        this.original = original;
        bytes = original.clone();
        from = IntStream.range(0, bytes.length).toArray();
    }

    /// The input with all edits.
    public byte[] bytes() {
        return bytes;
    }

    // ---- edits

    /// Applies an edit.
    ///
    /// @param size bytes to remove, insert, repeat, overwrite, or exchange with those behind; as
    ///     far as there are as many
    public void apply(Edit edit, int at, int size, SplittableRandom random) {
        int count = Math.min(size, bytes.length - at);
        byte[] inserted = new byte[size];
        int[] ofNew = new int[size];
        Arrays.fill(ofNew, NEW);
        switch (edit) {
            case REMOVE -> replace(at, count, new byte[0], new int[0]);
            case CUT -> replace(at, bytes.length - at, new byte[0], new int[0]);
            case INSERT_ZEROS -> replace(at, 0, inserted, ofNew);
            case INSERT_RANDOM -> {
                random.nextBytes(inserted);
                replace(at, 0, inserted, ofNew);
            }
            case REPEAT -> replace(at, 0, part(bytes, at, count), part(from, at, count));
            case ZERO -> {
                for (int i = at; i < at + count; i++) {
                    from[i] = bytes[i] == 0 ? from[i] : NEW;
                    bytes[i] = 0;
                }
            }
            case OVERWRITE -> {
                byte[] over = Arrays.copyOf(inserted, count);
                random.nextBytes(over);
                System.arraycopy(over, 0, bytes, at, count);
                Arrays.fill(from, at, at + count, NEW);
            }
            case INVERT -> {
                for (int i = at; i < at + count; i++) {
                    bytes[i] = (byte) ~bytes[i];
                    from[i] = NEW;
                }
            }
            case SWAP -> {
                int behind = Math.min(count, bytes.length - at - count);
                byte[] second = part(bytes, at + count, behind);
                int[] ofSecond = part(from, at + count, behind);
                replace(at + count, behind, new byte[0], new int[0]);
                replace(at, 0, second, ofSecond);
            }
        }
    }

    private static byte[] part(byte[] of, int at, int count) {
        return Arrays.copyOfRange(of, at, at + count);
    }

    private static int[] part(int[] of, int at, int count) {
        return Arrays.copyOfRange(of, at, at + count);
    }

    private void replace(int at, int count, byte[] by, int[] ofBy) {
        byte[] changed = new byte[bytes.length - count + by.length];
        int[] changedFrom = new int[changed.length];
        int rest = bytes.length - at - count;
        System.arraycopy(bytes, 0, changed, 0, at);
        System.arraycopy(from, 0, changedFrom, 0, at);
        System.arraycopy(by, 0, changed, at, by.length);
        System.arraycopy(ofBy, 0, changedFrom, at, by.length);
        System.arraycopy(bytes, at + count, changed, at + by.length, rest);
        System.arraycopy(from, at + count, changedFrom, at + by.length, rest);
        bytes = changed;
        from = changedFrom;
    }

    // ---- what was touched

    /// Where all bytes of a range are, one after the other.
    public List<Integer> places(Range range) {
        List<Integer> places = new ArrayList<>();
        int run = 0; // where the bytes begin that follow each other up to the current one
        for (int i = 0; i < from.length; i++) {
            run = i > 0 && from[i] != NEW && from[i] == from[i - 1] + 1 ? run : i;
            if (from[i] == range.end - 1 && i - run >= range.length() - 1) {
                places.add(i - range.length() + 1);
            }
        }
        return places;
    }

    /// Whether a range is whole at the end of the input.
    public boolean endsWith(Range range) {
        return places(range).contains(bytes.length - range.length());
    }

    /// Whether bytes lost or gained bytes among them. Bytes with other values do not count, nor do
    /// bytes that are equal to a range of the original.
    ///
    /// @param ranges of the original
    public boolean hasLostOrGained(int at, int end, List<Range> ranges) {
        for (Range each : ranges) {
            if (Arrays.equals(bytes, at, end, original, each.start, each.end)) {
                return false;
            }
        }
        int first = at;
        while (first < end && from[first] == NEW) {
            first++;
        }
        for (int i = first; i < end; i++) {
            if (from[i] != NEW && from[i] - i != from[first] - first) {
                return true;
            }
        }
        return false;
    }

    /// Whether no reader can see that bytes were lost or gained: as many were lost as gained, only
    /// zeros were moved out, or bytes of the end-of-stream marker were moved in.
    ///
    /// @param marker offset of the marker in the original
    public boolean isHidden(int at, int end, int marker) {
        int own = from[at] == NEW ? NEW : from[at] + end - at;
        int behind = end;
        while (behind < bytes.length && from[behind] < own) {
            behind++;
        }
        if (own != NEW && behind < bytes.length && from[behind] - own == behind - end) {
            return true;
        }
        int zeros = end;
        while (zeros < bytes.length && bytes[zeros] == 0) {
            zeros++;
        }
        boolean areZeros = zeros > end && (zeros == bytes.length || from[zeros] >= own);
        return areZeros || from[end - 1] >= marker && from[end - 1] < marker + 16;
    }
}
