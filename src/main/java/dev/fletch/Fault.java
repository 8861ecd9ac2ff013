// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// What a verification found: the broken rule, where, and the value found there.
///
/// A fault belongs to its verifier, which uses it again: it is valid until the verifier's next
/// call, or during [FaultSink#accept]. Filling it allocates nothing; what returns text allocates.
/// One thread at a time.
public abstract class Fault {
    private Rule rule;
    private long position;
    private long value;

    /// Creates one that is absent.
    protected Fault() {}

    /// Makes it absent.
    public void clear() {
        rule = null;
    }

    /// Sets it.
    ///
    /// @param broken the rule
    /// @param at byte offset, as the owner of the buffer counts
    /// @param found what was found there
    public final void set(Rule broken, long at, long found) {
        rule = broken;
        position = at;
        value = found;
    }

    /// Appends the field's path. It is called only where there is a fault.
    ///
    /// @param to where to
    protected abstract void appendPathTo(StringBuilder to);

    /// {@return whether there is a fault; if not, its position and value mean nothing}
    public final boolean isPresent() {
        return rule != null;
    }

    /// {@return the rule that was broken, null if there is no fault}
    public final Rule rule() {
        return rule;
    }

    /// {@return byte offset of the fault in the segment or buffer that was verified, as its owner
    /// counts; where a value is absent, of the table that lacks it; of a buffer's bytes, of the buffer's
    /// entry in the metadata}
    public final long position() {
        return position;
    }

    /// {@return what was found there; the constant of the rule says what it counts}
    public final long value() {
        return value;
    }

    /// {@return [#value()] as text, `value=7`; where one number does not explain the fault, the numbers
    /// that do, such as `uncompressed=739, needed=80000`}
    public String details() {
        return "value=" + value;
    }

    /// {@return names from the column down to the field whose node or buffer is at fault, joined by dots,
    /// as a new string; null where it is none of a batch whose layout is known}
    public String column() {
        return null;
    }

    /// Names the field, such as `header.schema.fields[2].children[0].type.timezone`: field names as
    /// the accessors have them, from the root. A table's own fault ends with the field that leads
    /// to it, the root's own is empty. Allocates.
    ///
    /// @return the path; empty if there is no fault
    public final String path() {
        return appendPath(new StringBuilder()).toString();
    }

    /// Appends [#path()].
    ///
    /// @param to where to
    /// @return `to`
    public final StringBuilder appendPath(StringBuilder to) {
        if (rule != null) {
            appendPathTo(to);
        }
        return to;
    }

    /// Creates an exception that keeps a copy of the fault.
    ///
    /// @return the exception
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

    /// {@return one line such as `string-unterminated: offset=148,
    /// path=header.schema.fields[0].name, value=7`, with the column at the end where there is one; its
    /// form is stable}
    @Override
    public final String toString() {
        if (rule == null) {
            return "no fault";
        }
        final StringBuilder text = new StringBuilder(rule.id());
        text.append(": offset=").append(position).append(", path=");
        appendPath(text).append(", ").append(details());
        final String column = column();
        return column == null ? text.toString() : text.append(", column=" + column).toString();
    }
}
