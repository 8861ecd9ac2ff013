// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.wire.FaultText;

/// A fault that a verification found: the broken rule, its position, and the value found there.
///
/// The verifier owns the fault and reuses it. A fault is valid until the verifier's next call, or
/// during [FaultSink#accept]. Setting a fault allocates nothing; methods that return text allocate.
/// One thread at a time.
public abstract class Fault {
    private Rule rule;
    private long position;
    private long value;

    /// Creates an absent fault.
    protected Fault() {}

    /// Makes this fault absent.
    public void clear() {
        rule = null;
    }

    /// Sets this fault.
    ///
    /// @param broken the broken rule
    /// @param at byte offset in the verified segment or buffer
    /// @param found the value found there
    public final void set(Rule broken, long at, long found) {
        rule = broken;
        position = at;
        value = found;
    }

    /// Appends the field's path. Called only while a fault is present.
    ///
    /// @param to the text to append to
    protected abstract void appendPathTo(StringBuilder to);

    /// {@return whether there is a fault; without one, position and value are undefined}
    public final boolean isPresent() {
        return rule != null;
    }

    /// {@return the broken rule; null if there is no fault}
    public final Rule rule() {
        return rule;
    }

    /// {@return byte offset of the fault in the verified segment or buffer. For an absent value:
    /// the offset of its table. For bytes of the body: the offset of the buffer's entry in the
    /// metadata}
    public final long position() {
        return position;
    }

    /// {@return the value found there; the rule's constant documents its meaning and unit}
    public final long value() {
        return value;
    }

    /// {@return [#value()] as text, `value=7`, or several numbers where one does not explain the
    /// fault, such as `uncompressed=739, needed=80000`}
    public String details() {
        return "value=" + value;
    }

    /// {@return field names from the column down to the field of the faulty node or buffer, joined
    /// by dots, as a new string; null if the fault is not in a record batch whose schema is known}
    public String column() {
        return null;
    }

    /// {@return number in its layout of the field of the faulty node, buffer or value; -1 if there is no
    /// [#column]}
    public int field() {
        return -1;
    }

    /// {@return the path of the faulty field, such as
    /// `header.schema.fields[2].children[0].type.timezone`: accessor names from the root down. If a
    /// table itself is faulty, the path ends with the field that refers to it. Empty for the root
    /// table, and if there is no fault. A new string}
    public final String path() {
        StringBuilder path = new StringBuilder();
        if (rule != null) {
            appendPathTo(path);
        }
        return path.toString();
    }

    /// {@return an exception that keeps a copy of the fault}
    ///
    /// @throws IllegalStateException if there is no fault
    public final VerificationException exception() {
        if (rule == null) {
            throw new IllegalStateException("no fault was found");
        }
        return new VerificationException(this);
    }

    /// Throws [#exception()] if there is a fault.
    ///
    /// @throws VerificationException if there is one
    public final void orThrow() {
        if (rule != null) {
            throw exception();
        }
    }

    /// {@return one line such as `string-unterminated: offset=148, path=header.schema.fields[0].name,
    /// value=7`, with the column at the end where there is one; its form is stable}
    @Override
    public final String toString() {
        if (rule == null) {
            return "no fault";
        }
        return FaultText.place(rule.id(), position, path())
                + ", "
                + FaultText.values(details(), column());
    }
}
