// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.flatbuf.Fault;
import dev.fletch.ipc.IpcFault;
import dev.fletch.ipc.SupportedVersions;
import dev.fletch.semantics.SemanticFault;

import java.util.function.Consumer;

/// Takes what is found in one input, from whoever finds it, and passes it on at once.
///
/// Memory and output are bounded: behind [#MAX_TOLD] faults of one input it tells that there are
/// more, and nothing else.
public final class Findings {
    /// How many faults of one input are told.
    public static final int MAX_TOLD = 100_000;

    private final Consumer<Finding> taker;
    private long count;

    public Findings(Consumer<Finding> taker) {
        this.taker = taker;
    }

    long count() {
        return count;
    }

    public void add(Finding finding) {
        count++;
        if (count <= MAX_TOLD) {
            taker.accept(finding);
        } else if (count == MAX_TOLD + 1) {
            taker.accept(
                    new Finding(
                            InputFault.MORE_FAULTS.level(),
                            InputFault.MORE_FAULTS.id(),
                            Finding.NO_MESSAGE,
                            null,
                            finding.offset(),
                            withDetails(InputFault.MORE_FAULTS.text(), "shown=" + MAX_TOLD)));
        }
    }

    /// How many more are told.
    public int room() {
        return (int) Math.max(0, MAX_TOLD - count);
    }

    /// @param message its index, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    public void add(InputFault fault, int message, String path, long offset, String details) {
        String text = withDetails(fault.text(), details);
        add(new Finding(fault.level(), fault.id(), message, path, offset, text));
    }

    /// @param message its index, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    public void add(IpcFault fault, int message, String path, long offset, String details) {
        String text = withDetails(fault.text(), details);
        Level level = InputFault.levelOf(fault);
        add(new Finding(level, fault.id(), message, path, offset, text));
    }

    /// A fault of a flatbuffer.
    ///
    /// @param message its index; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    public void add(Fault fault, int message, long offset) {
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

    /// A message of a version that is not read.
    ///
    /// @param message its index
    /// @param offset of the version in the input
    void unsupported(int version, int message, long offset) {
        String details = "version=" + SupportedVersions.name(version) + ", supported=V4 and V5";
        add(IpcFault.UNSUPPORTED_VERSION, message, "version", offset, details);
    }

    /// A fault of what a flatbuffer means.
    ///
    /// @param message its index; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    public void add(SemanticFault fault, int message, long offset) {
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

    /// Faults that are there and are not told one by one, as there is no room.
    ///
    /// @param offset of what they are in
    void more(long offset) {
        add(InputFault.MORE_FAULTS, Finding.NO_MESSAGE, null, offset, "");
    }

    private static String withDetails(String text, String details) {
        return details.isEmpty() ? text : text + ": " + details;
    }
}
