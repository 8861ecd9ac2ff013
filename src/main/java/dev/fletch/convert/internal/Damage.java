// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The damage of an input: what is left out, and what is repaired. Also other notes for the user.
public final class Damage {
    /// The most messages to name that are left out, or without a block.
    static final int MOST_NAMED = 20;

    private static final Comparator<Fault> BY_OFFSET = Comparator.comparingLong(Fault::position);

    /// Notes of one kind, of which the first are shown.
    final class Notes {
        private long count;

        void add(String note) {
            if (isShown()) {
                notes.add(note);
            }
        }

        /// Counts a note. Returns whether it is one of the first.
        boolean isShown() {
            return count++ < MOST_NAMED;
        }

        void end(String more) {
            if (count > MOST_NAMED) {
                notes.add(more + ": count=" + (count - MOST_NAMED));
            }
        }
    }

    private final boolean salvages;
    private final Fault footerFault;
    private final List<Fault> repaired = new ArrayList<>();
    private final List<Fault> leftOut = new ArrayList<>();
    private long leftOutCount;
    private Remedy remedy;
    private final List<String> notes = new ArrayList<>();

    /// @param salvages whether damage may be left out
    /// @param footerFault why the footer of a file is not usable, which is repaired; or null
    Damage(boolean salvages, Fault footerFault) {
        this.salvages = salvages;
        this.footerFault = footerFault;
        if (footerFault != null) {
            repaired.add(footerFault);
        }
    }

    /// What converts the rest of an input that cannot be converted as it is.
    public enum Remedy {
        /// Leaving out what is damaged.
        SALVAGE,
        /// The schema of another file.
        SCHEMA
    }

    /// What would help; null if nothing failed, or nothing is known to help.
    public Remedy remedy() {
        return remedy;
    }

    /// The fault of an input whose schema is lost.
    Fault withoutSchema(Fault fault) {
        remedy = Remedy.SCHEMA;
        return failure(fault).followedBy("; no schema found, so nothing can be converted");
    }

    /// The fault of what the output cannot express.
    static Fault notConvertible(long offset, String text) {
        return Fault.of(FileRule.NOT_CONVERTIBLE, offset, 0).withText(text);
    }

    boolean salvages() {
        return salvages;
    }

    /// Records the fault of a part that is left out; without salvage, throws it.
    void leaveOut(Fault fault) {
        if (!salvages) {
            remedy = Remedy.SALVAGE;
            throw FletchException.inInput(failure(fault));
        }
        leftOutCount++;
        leftOut.add(fault);
        leftOut.sort(BY_OFFSET);
        if (leftOut.size() > MOST_NAMED) {
            leftOut.removeLast();
        }
    }

    /// Counts parts that are left out and not named.
    void leaveOutMore(long count) {
        leftOutCount += count;
    }

    /// The fault of an input with which nothing can be converted. The fault of the footer comes
    /// first.
    Fault failure(Fault fault) {
        return footerFault == null || fault == footerFault ? fault : footerFault.and(fault);
    }

    /// The fault of an input without schema of which nothing can be written: a stream needs a
    /// sound tensor then, and a file cannot hold tensors.
    Fault nothingLeft() {
        Fault first =
                leftOut.isEmpty() ? notConvertible(0, "input has no schema") : leftOut.getFirst();
        return failure(first).followedBy("; nothing is left to convert");
    }

    /// Records a fault for which nothing is left out.
    void repair(Fault fault) {
        repaired.add(fault);
    }

    void note(String text) {
        notes.add(text);
    }

    /// The first parts that are left out, in the order of their offsets.
    List<Fault> leftOut() {
        return leftOut;
    }

    long leftOutCount() {
        return leftOutCount;
    }

    /// What is left out and what is repaired, in the order of the offsets.
    public List<Fault> all() {
        return Stream.concat(repaired(), leftOut.stream()).sorted(BY_OFFSET).toList();
    }

    /// What is repaired, unless it is reported as left out.
    private Stream<Fault> repaired() {
        return repaired.stream()
                .filter(each -> leftOut.stream().noneMatch(o -> o.position() == each.position()))
                .sorted(BY_OFFSET);
    }

    /// The notes that are not about damage.
    public List<String> otherNotes() {
        return notes;
    }

    /// All notes, first those of what is repaired.
    List<String> notes() {
        return Stream.concat(repaired().map(Fault::placed), notes.stream()).toList();
    }
}
