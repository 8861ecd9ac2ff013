// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.diff;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.verify.Finding;
import dev.fletch.format.MessageHeader;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Metadata that is not the same in two inputs.
///
/// @param message its number, or [Finding#NO_MESSAGE] for a footer
/// @param kind what it is in the first input that has it
/// @param at number of the first byte that differs; the shorter one may end there; -1 where one is
///     missing
/// @param a null if it is missing
/// @param b null if it is missing
public record BytesDifference(int message, String kind, long at, Metadata a, Metadata b) {
    private static final String FOOTER = "Footer";

    /// Metadata in one of the inputs.
    ///
    /// @param offset of its first byte
    /// @param bytes all of it, the padding behind it included
    private record Metadata(long offset, MemorySegment bytes) {
        /// Tells of a byte, or that there are no more.
        String shown(long at) {
            return at < bytes.byteSize()
                    ? String.format(Locale.ROOT, "0x%02x at offset %d", value(at), offset + at)
                    : "ends at offset " + (offset + at);
        }

        int value(long at) {
            return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
        }

        void write(String name, long at, JsonGenerator json) throws IOException {
            json.writeObjectFieldStart(name);
            json.writeNumberField("offset", offset);
            json.writeNumberField("length", bytes.byteSize());
            if (at >= 0 && at < bytes.byteSize()) {
                json.writeNumberField("value", value(at));
            }
            json.writeEndObject();
        }
    }

    /// Compares all messages in their order, and the footers.
    static List<BytesDifference> all(DiffInput a, DiffInput b) {
        List<BytesDifference> found = new ArrayList<>();
        boolean inA = a.next();
        boolean inB = b.next();
        for (int i = 0; inA || inB; i++) {
            String kind = MessageHeader.NAMES.name(inA ? a.kind() : b.kind());
            compare(i, kind, message(a, inA), message(b, inB), found);
            inA = inA && a.next();
            inB = inB && b.next();
        }
        compare(Finding.NO_MESSAGE, FOOTER, footer(a), footer(b), found);
        return found;
    }

    private static Metadata message(DiffInput input, boolean there) {
        return there ? new Metadata(input.metadataOffset(), input.metadata()) : null;
    }

    private static Metadata footer(DiffInput input) {
        return input.hasFooter() ? new Metadata(input.footerOffset(), input.footer()) : null;
    }

    private static void compare(
            int message, String kind, Metadata a, Metadata b, List<BytesDifference> found) {
        boolean comparable = a != null && b != null;
        long at = comparable ? InputBytes.mismatch(a.bytes(), b.bytes()) : -1;
        if (at >= 0 || (a == null) != (b == null)) {
            found.add(new BytesDifference(message, kind, at, a, b));
        }
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        if (message == Finding.NO_MESSAGE) {
            json.writeNullField("message");
        } else {
            json.writeNumberField("message", message);
        }
        json.writeStringField("kind", kind);
        if (at >= 0) {
            json.writeNumberField("byte", at);
        } else {
            json.writeNullField("byte");
        }
        side("a", a, json);
        side("b", b, json);
        json.writeEndObject();
    }

    private void side(String name, Metadata side, JsonGenerator json) throws IOException {
        if (side == null) {
            json.writeNullField(name);
        } else {
            side.write(name, at, json);
        }
    }

    /// {@return the difference on a line}
    @Override
    public String toString() {
        String what = message == Finding.NO_MESSAGE ? "footer" : "message " + message + ", " + kind;
        if (at < 0) {
            return String.format(Locale.ROOT, "%s: only in %s", what, a == null ? "B" : "A");
        }
        return String.format(
                Locale.ROOT, "%s: byte %d: A %s, B %s", what, at, a.shown(at), b.shown(at));
    }
}
