// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// The shapes of the batch messages of one reader, at most [#MOST].
///
/// A shape is learned from the second unrecognized batch message on. When [#MOST] shapes are known,
/// a shape is replaced only after [#PATIENCE] unrecognized messages, and only if it was not found
/// in the meantime: learning takes several times as long as reading a message, and allocates.
///
/// Only learning allocates. Belongs to one thread at a time.
final class MessageShapes {
    /// Enough for record batches and some dictionaries, each in a few variants.
    static final int MOST = 8;

    /// Maximum length in bytes of a learned message: about 65,000 columns.
    static final int MOST_BYTES = 4 << 20;

    /// Number of unrecognized messages before a shape is learned.
    private static final int FIRST_PATIENCE = 2;

    /// Number of unrecognized messages before a shape is replaced. Doubles for each message that
    /// cannot be learned and for each shape that does not recur.
    static final int PATIENCE = 64;

    private static final int MOST_PATIENCE = 1 << 16;

    private final MessageShape[] shapes = new MessageShape[MOST];

    /// For each shape, the number of the search that last found it or moved on from it; negative
    /// from the search that added it, until one of these happens.
    private final long[] found = new long[MOST];

    private int count;

    /// The shape that was found or added last, and its index; null if there is none.
    private MessageShape last;

    private int lastPlace;

    /// [#last] if the last message was recognized by it at once; otherwise null.
    private MessageShape repeated;

    private long searches;

    // Unrecognized messages since search `missedSince`, and their limit.
    private int missed;
    private long missedSince;
    private int patience = FIRST_PATIENCE;

    /// {@return the shape that was found or added last; null if there is none}
    MessageShape last() {
        return last;
    }

    /// {@return the shape of the last two recognized messages, if they had the same; otherwise
    /// null}
    MessageShape repeated() {
        return repeated;
    }

    /// Notes that a message had the shape [#last].
    void repeat() {
        repeated = last;
    }

    /// Finds the shape of a message's wrapped buffer among the shapes other than [#last].
    ///
    /// @return the shape, now the last one; null if it is unknown
    MessageShape findOther(Message message) {
        repeated = null;
        for (int i = 0; i < count; i++) {
            if (i != lastPlace && message.has(shapes[i])) {
                found[lastPlace] = ++searches;
                found[i] = ++searches;
                lastPlace = i;
                last = shapes[i];
                return last;
            }
        }
        return null;
    }

    /// Counts an unrecognized batch message.
    ///
    /// @return whether its shape should be learned
    boolean isWanted() {
        if (++missed < patience) {
            return false;
        }
        boolean isReplaceable = count < MOST || Math.abs(found[leastRecent()]) <= missedSince;
        missed = 0;
        missedSince = searches;
        return isReplaceable;
    }

    /// Adds the shape of a message; with [#MOST] shapes, it replaces the least recently found one.
    ///
    /// @param shape null if the message cannot be learned
    void add(MessageShape shape) {
        if (shape == null) {
            patience = Math.min(2 * patience, MOST_PATIENCE);
            missed = 1; // otherwise, with alternating messages, only the unlearnable one may be
            // tried
            return;
        }
        int place = count;
        if (count < MOST) {
            count++;
            patience = count < MOST ? FIRST_PATIENCE : PATIENCE;
        } else {
            place = leastRecent();
            patience = found[place] > 0 ? PATIENCE : Math.min(2 * patience, MOST_PATIENCE);
        }
        shapes[place] = shape;
        found[place] = - ++searches;
        lastPlace = place;
        last = shape;
    }

    private int leastRecent() {
        int place = lastPlace == 0 ? 1 : 0;
        for (int i = 1; i < MOST; i++) {
            boolean isOlder = Math.abs(found[i]) < Math.abs(found[place]);
            place = isOlder && i != lastPlace ? i : place;
        }
        return place;
    }
}
