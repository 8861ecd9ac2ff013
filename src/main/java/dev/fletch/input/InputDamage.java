// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FaultSink;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What is damaged in an input: its footer, and parts of the input. One fault describes it: the
/// footer's, or else that of the first damaged part. After the last message, its text also says how
/// much of the input is complete, and names further parts.
final class InputDamage implements FaultSink {
    /// The most damaged parts to keep.
    static final int MOST_PARTS = 1_000;

    // The most damaged parts that the fault's text names after the first.
    static final int MOST_NAMED = 3;

    private final Fault footer;
    private final List<Fault> parts = new ArrayList<>();
    private long count;
    private Fault fault;
    private boolean hasEnded;

    /// @param footer why the footer of a file is not usable; null if it is, or if this is no file
    InputDamage(Fault footer) {
        this.footer = footer;
        this.fault = footer;
    }

    /// Adds a damaged part.
    @Override
    public void accept(Fault part) {
        count++;
        if (parts.size() < MOST_PARTS) {
            parts.add(part);
        }
    }

    /// Sorts the parts by their offsets.
    void sort() {
        parts.sort(Comparator.comparingLong(Fault::position));
    }

    /// Ends the input.
    ///
    /// @param complete how much of it is complete; may be empty
    /// @param isLastDescribed whether `complete` describes the last part
    void end(String complete, boolean isLastDescribed) {
        hasEnded = true;
        Fault first = footer != null ? footer : parts.isEmpty() ? null : parts.getFirst();
        if (first != null) {
            String text = complete.isEmpty() ? "" : "; " + complete;
            long named = count - (isLastDescribed ? 1 : 0);
            int from = footer != null ? 0 : 1;
            fault = first.followedBy(text + also(parts, from, named, "more damaged places"));
        }
    }

    /// A text that names the first of some faults, and counts the others.
    ///
    /// @param from index of the first
    /// @param to number of all; the list may have fewer
    /// @param others what those are that are not named
    static String also(List<Fault> faults, int from, long to, String others) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < Math.min(to, from + MOST_NAMED); i++) {
            text.append("; ").append(faults.get(i).placed());
        }
        long more = to - from - MOST_NAMED;
        return (more > 0 ? text.append("; ").append(others).append(": count=").append(more) : text)
                .toString();
    }

    /// A fault found in a message; in a file without a usable footer, preceded by that fault.
    Fault caused(Fault found) {
        return fault == null || hasEnded ? found : fault.and(found);
    }

    /// The fault that describes all damage; null if there is none. Before the end, only that of the
    /// footer.
    Fault fault() {
        return fault;
    }

    Fault footer() {
        return footer;
    }

    /// The first damaged parts, in the order in which they were found.
    List<Fault> parts() {
        return parts;
    }

    /// Number of all damaged parts.
    long count() {
        return count;
    }
}
