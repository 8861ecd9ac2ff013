// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.scan.internal.MapMessage;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.PrintWriter;

/// What one byte is for: `fletch map --at`.
final class MapAt {
    private static final int NONE = -1;

    private final MapWalk walk;
    private final long at;
    // After the extents so far.
    private long position;

    // What was found; null before.
    private BytePurpose purpose;
    private int message = NONE;
    private String kind;
    private String path;
    private BufferRole role;
    // Whose values the dictionary has; null for a column.
    private String user;
    private long offset;
    private long length;
    private long value = NONE;

    /// @param start offset of the input's first extent
    MapAt(MapWalk walk, long offset, long start) {
        this.walk = walk;
        this.at = offset;
        position = start;
    }

    /// Looks for the byte in a message, and before it.
    void message(MapMessage in) {
        find(in, in.index);
    }

    /// Looks for it in what follows the last message.
    void end() {
        find(walk.rest(), NONE);
    }

    boolean isFound() {
        return purpose != null;
    }

    private void find(MapMessage in, int index) {
        for (MapMessage.Extent each : in.extents) {
            if (at >= position && at - position < each.length()) {
                purpose = each.of();
                offset = position;
                length = each.length();
                if (index != NONE && at >= in.frame.offset()) {
                    message = index;
                    kind = in.kind;
                }
                if (each.buffer() != null) {
                    buffer(in, each.buffer());
                }
            }
            position += each.length();
        }
    }

    /// Takes what is known of a buffer that has the byte, or that the padding with it follows.
    private void buffer(MapMessage in, MapMessage.Buffer buffer) {
        boolean isPadding = purpose == BytePurpose.PADDING;
        if (!isPadding) {
            offset = buffer.offset();
            length = buffer.length();
        }
        if (!buffer.isOwned()) {
            return;
        }
        path = in.path(buffer);
        role = buffer.role();
        user = in.isDictionary ? walk.plan().user(in.dictionaryId) : null;
        int field = buffer.field();
        BatchLayout layout = in.fields.layout();
        TypeFacts type = TypeFacts.of(layout.typeType(field));
        long bits = type.bits(role, layout.valueBits(field));
        if (!isPadding && bits > 0 && in.codec.equals(MapMessage.NO_CODEC)) {
            long index =
                    bits < Byte.SIZE
                            ? (at - offset) * Byte.SIZE / bits
                            : (at - offset) / (bits / Byte.SIZE);
            long values = field < in.nodes.size() ? in.nodes.get(field).length() : 0;
            value = index < type.shapes().getFirst().count(role, values) ? index : NONE;
        }
    }

    // ---- output

    void print(PrintWriter out) {
        StringBuilder line = new StringBuilder("byte " + at + ": " + purpose.id());
        if (message != NONE) {
            line.append(", message ").append(message).append(" (").append(kind).append(')');
        }
        if (role != null) {
            line.append(purpose == BytePurpose.PADDING ? ", after " : ", ")
                    .append(Escaper.name(user == null ? "column " + path : path + " of " + user))
                    .append(", ")
                    .append(role.text());
        }
        line.append(": offset=").append(offset).append(", length=").append(length);
        if (value != NONE) {
            line.append(", value=").append(value);
        }
        out.println(line);
    }

    /// Writes an object; null if there is no such byte.
    void write(JsonGenerator json) throws IOException {
        if (!isFound()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeNumberField("offset", at);
        json.writeStringField("purpose", purpose.id());
        if (message != NONE) {
            json.writeNumberField("message", message);
            json.writeStringField("kind", kind);
        }
        if (role != null) {
            json.writeStringField("path", path);
            if (user != null) {
                json.writeStringField("column", user);
            }
            json.writeStringField("role", role.text());
        }
        json.writeNumberField("from", offset);
        json.writeNumberField("length", length);
        if (value != NONE) {
            json.writeNumberField("value", value);
        }
        json.writeEndObject();
    }
}
