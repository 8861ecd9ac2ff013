// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.diff;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.input.InputBytes;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/// Metadata that differs between two inputs.
///
/// @param message index of the message, or [Fault#NO_MESSAGE] for a footer
/// @param kind kind of the message in the first input that has it
/// @param at offset in the metadata of the first difference, or the end of the shorter metadata; -1
///     if one input lacks it
/// @param a metadata in the first input; null if absent
/// @param b metadata in the second input; null if absent
public record BytesDifference(int message, String kind, long at, Metadata a, Metadata b) {
    /// Metadata in one of the inputs, with its padding, and the offset of its first byte.
    record Metadata(long offset, MemorySegment bytes) {
        /// The byte and its offset, or the end of the metadata.
        String shown(long position) {
            return position < bytes.byteSize()
                    ? String.format(
                            Locale.ROOT, "0x%02x at offset %d", value(position), offset + position)
                    : "ends at offset " + (offset + position);
        }

        int value(long position) {
            return bytes.get(ValueLayout.JAVA_BYTE, position) & 0xFF;
        }
    }

    /// Compares metadata and adds the difference, if any.
    static void add(
            List<BytesDifference> differences, int message, String kind, Metadata a, Metadata b) {
        long position = a != null && b != null ? InputBytes.mismatch(a.bytes, b.bytes) : -1;
        if (position >= 0 || (a == null) != (b == null)) {
            differences.add(new BytesDifference(message, kind, position, a, b));
        }
    }

    void write(JsonGenerator json) throws IOException {
        JsonOutput.number(json, "message", message);
        json.writeStringField("kind", kind);
        JsonOutput.number(json, "byte", at);
        side("a", a, json);
        side("b", b, json);
    }

    private void side(String name, Metadata side, JsonGenerator json) throws IOException {
        if (side == null) {
            json.writeNullField(name);
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeNumberField("offset", side.offset);
        json.writeNumberField("length", side.bytes.byteSize());
        if (at >= 0 && at < side.bytes.byteSize()) {
            json.writeNumberField("value", side.value(at));
        }
        json.writeEndObject();
    }

    @Override
    public String toString() {
        String what = message == Fault.NO_MESSAGE ? "footer" : "message " + message + ", " + kind;
        if (at < 0) {
            return String.format(Locale.ROOT, "%s: only in %s", what, a == null ? "B" : "A");
        }
        return String.format(
                Locale.ROOT, "%s: byte %d: A %s, B %s", what, at, a.shown(at), b.shown(at));
    }
}
