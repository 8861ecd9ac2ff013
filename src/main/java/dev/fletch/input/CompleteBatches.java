// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;

/// Counts the complete record batches of an input, and their rows.
public final class CompleteBatches {
    private final RecordBatch batch = new RecordBatch();
    // What is incomplete behind them, for a text.
    private String incomplete = "";
    private boolean isEmpty = true;
    private long count;
    private long rows;
    // The rows that the last message added; negative if it is no record batch.
    private long added = -1;

    /// Counts a complete message.
    public void add(Message message) {
        isEmpty = false;
        added = -1;
        if (message.header(batch)) {
            long before = rows;
            rows = sum(rows, batch.length());
            added = rows - before;
            count++;
        }
    }

    /// Adds the rows of a batch to those before. The sum is at most 2^63 - 1: the format limits the
    /// rows of a batch, and not those of all. Negative numbers, which are faults, count as 0.
    public static long sum(long rows, long more) {
        return rows + Math.clamp(more, 0, Long.MAX_VALUE - rows);
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

    public long count() {
        return count;
    }

    public long rows() {
        return rows;
    }

    /// Adds the message after the last complete one, whose body is cut off, to the text.
    public void incomplete(Message message) {
        if (message.header(batch)) {
            String length = " (" + rows(batch.length()) + ")";
            incomplete = "; the " + nth(count + 1) + length + " is incomplete";
            return;
        }
        DictionaryBatch dictionary = new DictionaryBatch();
        String kind = MessageHeader.NAMES.name(message.headerType());
        String id = message.header(dictionary) ? " (id " + dictionary.id() + ")" : "";
        incomplete = "; the next message, " + kind + id + ", is incomplete";
    }

    /// How much of the input is complete.
    ///
    /// @param expected number of record batches in the footer; negative without a footer
    /// @return empty if it has neither messages nor a footer
    public String text(int expected) {
        boolean hasFooter = expected >= 0;
        if (isEmpty && incomplete.isEmpty() && !hasFooter) {
            return "";
        }
        String of = hasFooter ? " of " + expected : "";
        String all = count == 1 && !hasFooter ? " record batch" : " record batches";
        return count + of + all + " complete, " + rows(rows) + incomplete;
    }

    private static String rows(long count) {
        return count + (count == 1 ? " row" : " rows");
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
