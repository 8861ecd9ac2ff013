// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Bytes that are replaced in a sound input, so that anyone can make the broken one.
///
/// @param at offset in the sound input
/// @param removed number of bytes there that are replaced
/// @param bytes what is there instead
record CorpusEdit(int at, int removed, byte[] bytes) {
    // So many equal bytes between two edits make them one.
    private static final int SHORT_GAP = 4;

    /// The edits that make one input of another.
    static List<CorpusEdit> between(byte[] from, byte[] to) {
        List<CorpusEdit> edits = new ArrayList<>();
        if (from.length != to.length) {
            int start = Math.max(0, Arrays.mismatch(from, to));
            int end = 0;
            int most = Math.min(from.length, to.length) - start;
            while (end < most && from[from.length - 1 - end] == to[to.length - 1 - end]) {
                end++;
            }
            edits.add(of(start, from.length - end - start, to, to.length - end - start));
            return edits;
        }
        int start = Arrays.mismatch(from, to);
        while (start >= 0) {
            int end = start + 1;
            for (int i = end; i < from.length && i < end + SHORT_GAP; i++) {
                end = from[i] == to[i] ? end : i + 1;
            }
            edits.add(of(start, end - start, to, end - start));
            int next = Arrays.mismatch(from, end, from.length, to, end, to.length);
            start = next < 0 ? -1 : end + next;
        }
        return edits;
    }

    private static CorpusEdit of(int at, int removed, byte[] to, int count) {
        return new CorpusEdit(at, removed, Arrays.copyOfRange(to, at, at + count));
    }

    /// A sound input with edits, of which each is behind the one before it.
    static byte[] apply(byte[] sound, List<CorpusEdit> edits) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        for (CorpusEdit each : edits) {
            out.write(sound, at, each.at - at);
            out.writeBytes(each.bytes);
            at = each.at + each.removed;
        }
        out.write(sound, at, sound.length - at);
        return out.toByteArray();
    }

    /// The object in the index: `remove` is there if the lengths differ.
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", (long) at);
        if (removed != bytes.length) {
            json.put("remove", (long) removed);
        }
        json.put("bytes", HexFormat.of().formatHex(bytes));
        return json;
    }

    static CorpusEdit of(Map<String, Object> json) {
        byte[] bytes = HexFormat.of().parseHex((String) json.get("bytes"));
        long removed = (long) json.getOrDefault("remove", (long) bytes.length);
        return new CorpusEdit((int) (long) json.get("at"), (int) removed, bytes);
    }
}
