// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.layout.FieldLayout;

/// What a verification of meaning found: the broken rule, where, and the value found there.
///
/// A fault belongs to its verifier, which uses it again: it is valid until the verifier's next
/// call, or during [SemanticSink#accept]. Filling it allocates nothing; what returns text allocates.
/// One thread at a time.
public final class SemanticFault {
    private static final int NONE = -1;

    private final FieldPath fields;
    private SemanticRule code;
    private long position;
    private long value;
    private FieldLayout layout;
    private int field;

    // The path: where the schema or batch is, the way to the field, then name[index].tail.
    private String prefix;
    private int levels;
    // Own copies: the walk goes on behind the fault, and takes its path with it.
    private int[] ordinals = new int[8];
    private String name;
    private int index;
    private String tail;

    SemanticFault(FieldPath fields) {
        this.fields = fields;
    }

    void clear() {
        code = null;
        layout = null;
    }

    void set(SemanticRule broken, long at, long found) {
        code = broken;
        position = at;
        value = found;
    }

    void setPath(String root, int depth, String leaf, int element, String part) {
        prefix = root;
        levels = depth;
        if (depth > ordinals.length) {
            ordinals = new int[depth << 1];
        }
        for (int i = 0; i < depth; i++) {
            ordinals[i] = fields.ordinal(i);
        }
        name = leaf;
        index = element;
        tail = part;
    }

    void setField(FieldLayout of, int number) {
        layout = of;
        field = number;
    }

    /// {@return whether there is a fault; if not, nothing else may be asked}
    public boolean isPresent() {
        return code != null;
    }

    /// {@return the rule that was broken, null if there is no fault}
    public SemanticRule code() {
        return code;
    }

    /// {@return byte offset of the offending value in the segment or buffer that the flyweight's
    /// root has wrapped, as its owner counts; where the value is absent, of the table that lacks
    /// it; of a buffer's bytes, of the buffer's entry in the metadata}
    public long position() {
        return position;
    }

    /// {@return what was found there; [SemanticRule] tells of what kind it is}
    public long value() {
        return value;
    }

    /// {@return names from the column down to the field whose node or buffer it is, joined by dots,
    /// as a new string; null where it is none of a batch whose layout is known}
    public String column() {
        return layout == null ? null : layout.pathString(field);
    }

    /// Names the place, such as `header.schema.fields[2].children[0].type.bitWidth`: field names as
    /// the accessors have them, from the root of what was verified. Allocates.
    ///
    /// @return the path
    public String path() {
        return code == null ? "" : appendPath(new StringBuilder()).toString();
    }

    /// Appends [#path()].
    ///
    /// @param to where to
    /// @return `to`
    public StringBuilder appendPath(StringBuilder to) {
        if (code == null) {
            return to;
        }
        final int start = to.length();
        part(to, start, prefix);
        for (int i = 0; i < levels; i++) {
            part(to, start, i == 0 ? "fields" : "children");
            to.append('[').append(ordinals[i]).append(']');
        }
        part(to, start, name);
        if (index != NONE) {
            to.append('[').append(index).append(']');
        }
        return part(to, start, tail);
    }

    private static StringBuilder part(StringBuilder to, int start, String part) {
        if (!part.isEmpty() && to.length() > start) {
            to.append('.');
        }
        return to.append(part);
    }

    /// Creates an exception that tells the same.
    ///
    /// @return the exception
    /// @throws IllegalStateException if there is no fault
    public SemanticException exception() {
        if (code == null) {
            throw new IllegalStateException("no fault was found");
        }
        return new SemanticException(this);
    }

    /// Throws [#exception()] if there is a fault.
    ///
    /// @throws SemanticException if there is one
    public void orThrow() {
        if (code != null) {
            throw exception();
        }
    }

    /// {@return one line such as `null-count-range: offset=148, path=header.recordBatch.nodes[3],
    /// value=7, column=a.b`; its form is stable}
    @Override
    public String toString() {
        if (code == null) {
            return "no fault";
        }
        final StringBuilder text = new StringBuilder(code.id());
        text.append(": offset=").append(position).append(", path=");
        appendPath(text).append(", value=").append(value);
        return layout == null ? text.toString() : text.append(", column=" + column()).toString();
    }
}
