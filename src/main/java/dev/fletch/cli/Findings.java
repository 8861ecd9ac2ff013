// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.flatbuf.Fault;
import dev.fletch.ipc.IpcFault;
import dev.fletch.layout.MeaningFault;

import java.util.function.Consumer;

/// Takes what is found in one input, from whoever finds it, and passes it on at once.
final class Findings {
    private final Consumer<Finding> taker;
    private long count;

    Findings(Consumer<Finding> taker) {
        this.taker = taker;
    }

    long count() {
        return count;
    }

    void add(Finding finding) {
        count++;
        taker.accept(finding);
    }

    /// @param message its index, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    void add(InputFault fault, int message, String path, long offset, String details) {
        String text = withDetails(fault.text(), details);
        add(new Finding(fault.level(), fault.id(), message, path, offset, text));
    }

    /// @param message its index, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    void add(IpcFault fault, int message, String path, long offset, String details) {
        String text = withDetails(fault.text(), details);
        Level level = InputFault.levelOf(fault);
        add(new Finding(level, fault.id(), message, path, offset, text));
    }

    /// A fault of a flatbuffer.
    ///
    /// @param message its index; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    void add(Fault fault, int message, long offset) {
        String path = fault.path();
        add(
                new Finding(
                        Level.STRUCTURE,
                        fault.code().id(),
                        message,
                        path.isEmpty() ? null : path,
                        offset,
                        fault.code().rule() + ": value=" + fault.value()));
    }

    /// A fault of what a flatbuffer means.
    ///
    /// @param message its index; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    void add(MeaningFault fault, int message, long offset) {
        String path = fault.path();
        String column = fault.column();
        String text = fault.code().rule() + ": value=" + fault.value();
        add(
                new Finding(
                        Level.MEANING,
                        fault.code().id(),
                        message,
                        path.isEmpty() ? null : path,
                        offset,
                        column == null ? text : text + ", column=" + column));
    }

    /// Faults that are there, and not told one by one.
    ///
    /// @param shown how many are
    void more(Level level, int message, long offset, int shown) {
        InputFault fault = InputFault.MORE_FAULTS;
        String text = withDetails(fault.text(), "shown=" + shown);
        add(new Finding(level, fault.id(), message, null, offset, text));
    }

    private static String withDetails(String text, String details) {
        return details.isEmpty() ? text : text + ": " + details;
    }
}
