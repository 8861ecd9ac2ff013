// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;

/// A fault of a frame, of a block, or of the file around them. Its position is an offset in the
/// input.
public final class ContainerFault extends Fault {
    private final String path;
    private final String details;

    private ContainerFault(Rule rule, String path, long at, long value, String details) {
        this.path = path;
        this.details = details;
        set(rule, at, value);
    }

    /// Reports a fault.
    ///
    /// @param at offset in the input
    /// @param value the value found there
    /// @param details values as `name=value`; may be empty
    /// @return false
    static boolean report(FaultSink sink, Rule rule, long at, long value, String details) {
        return report(sink, rule, "", at, value, details);
    }

    /// [#report(FaultSink, Rule, long, long, String)] for a field of the footer.
    static boolean report(
            FaultSink sink, Rule rule, String path, long at, long value, String details) {
        sink.accept(new ContainerFault(rule, path, at, value, details));
        return false;
    }

    @Override
    public String details() {
        return details;
    }

    @Override
    protected void appendPathTo(StringBuilder to) {
        to.append(path);
    }
}
