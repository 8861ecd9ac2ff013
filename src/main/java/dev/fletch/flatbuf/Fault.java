// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.function.UnaryOperator;

/// What a verification found: the broken rule, where, and the value found there.
///
/// A fault belongs to its verifier, which uses it again: it is valid until the verifier's next
/// call, or during [FaultSink#accept]. Filling it allocates nothing; what returns text allocates.
/// One thread at a time.
public final class Fault {
    private final UnaryOperator<StringBuilder> path;
    private FaultCode code;
    private long position;
    private long value;

    /// Creates one that is absent.
    ///
    /// @param path appends the field's path to what it is given, and returns that
    public Fault(UnaryOperator<StringBuilder> path) {
        this.path = path;
    }

    /// Makes it absent.
    public void clear() {
        code = null;
    }

    /// Sets it.
    ///
    /// @param broken the rule
    /// @param at byte offset, as the owner of the buffer counts
    /// @param found what was found there
    public void set(FaultCode broken, long at, long found) {
        code = broken;
        position = at;
        value = found;
    }

    /// {@return whether there is a fault; if not, its position and value mean nothing}
    public boolean isPresent() {
        return code != null;
    }

    /// {@return the rule that was broken, null if there is no fault}
    public FaultCode code() {
        return code;
    }

    /// {@return byte offset of the fault in the segment or buffer that was verified, as its owner
    /// counts}
    public long position() {
        return position;
    }

    /// {@return what was found there; what it counts, [FaultCode] says for each rule}
    public long value() {
        return value;
    }

    /// Names the field, such as `header.schema.fields[2].children[0].type.timezone`: field names as
    /// the accessors have them, from the root. A table's own fault ends with the field that leads
    /// to it, the root's own is empty. Allocates.
    ///
    /// @return the path; empty if there is no fault
    public String path() {
        return code == null ? "" : appendPath(new StringBuilder()).toString();
    }

    /// Appends [#path()].
    ///
    /// @param to where to
    /// @return `to`
    public StringBuilder appendPath(StringBuilder to) {
        return code == null ? to : path.apply(to);
    }

    /// Creates an exception that says the same.
    ///
    /// @return the exception
    /// @throws IllegalStateException if there is no fault
    public VerificationException exception() {
        if (code == null) {
            throw new IllegalStateException("no fault was found");
        }
        return new VerificationException(this);
    }

    /// Throws [#exception()] if there is a fault.
    ///
    /// @throws VerificationException if there is one
    public void orThrow() {
        if (code != null) {
            throw exception();
        }
    }

    /// {@return one line such as `string-unterminated: offset=148,
    /// path=header.schema.fields[0].name, value=7`; its form is stable}
    @Override
    public String toString() {
        if (code == null) {
            return "no fault";
        }
        final StringBuilder text = new StringBuilder(code.id());
        text.append(": offset=").append(position).append(", path=");
        return appendPath(text).append(", value=").append(value).toString();
    }
}
