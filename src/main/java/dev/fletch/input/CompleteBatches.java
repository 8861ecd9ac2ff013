// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;

/// Counts the complete record batches of an input, and their rows.
final class CompleteBatches {
    private final RecordBatch batch = new RecordBatch();
    private boolean isEmpty = true;
    private long count;
    private long rows;
    // The rows that the last message added; negative if it is no record batch.
    private long added = -1;

    /// Counts a complete message.
    void add(Message message) {
        isEmpty = false;
        added = -1;
        if (message.header(batch)) {
            // Clamped: hostile lengths may be negative or overflow.
            added = Math.clamp(batch.length(), 0, Long.MAX_VALUE - rows);
            count++;
            rows += added;
        }
    }

    /// No longer counts the rows of the last message.
    void removeLast() {
        if (added >= 0) {
            rows -= added;
            count--;
            added = -1;
        }
    }

    /// Whether there was no complete message.
    boolean isEmpty() {
        return isEmpty;
    }

    long count() {
        return count;
    }

    long rows() {
        return rows;
    }

    /// How much of the input is complete, for a fault's text.
    ///
    /// @param expected number of record batches in the footer; negative without a footer
    /// @param incomplete the message after the last complete one; null if there is none
    String text(int expected, Message incomplete) {
        boolean hasFooter = expected >= 0;
        if (isEmpty && incomplete == null && !hasFooter) {
            return "";
        }
        String of = hasFooter ? " of " + expected : "";
        String all = count == 1 && !hasFooter ? " record batch" : " record batches";
        String text = "; " + count + of + all + " complete, " + rows + " rows";
        if (incomplete == null) {
            return text;
        }
        if (incomplete.header(batch)) {
            String length = " (" + batch.length() + " rows)";
            return text + "; the " + nth(count + 1) + length + " is incomplete";
        }
        DictionaryBatch dictionary = new DictionaryBatch();
        String kind = MessageHeader.NAMES.name(incomplete.headerType());
        String id = incomplete.header(dictionary) ? " (id " + dictionary.id() + ")" : "";
        return text + "; the next message, " + kind + id + ", is incomplete";
    }

    private static String nth(long number) {
        boolean isTeen = number % 100 / 10 == 1;
        return number
                + switch ((int) (isTeen ? 0 : number % 10)) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
