// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// The shapes of the batch messages that one reader has met, at most [#MOST] at a time.
///
/// A shape is learned from the second batch message on that is not recognized. Once all places are
/// taken, a shape is replaced only after [#PATIENCE] such messages, and only if it was not found
/// meanwhile: learning takes several times as long as reading a message, and allocates.
///
/// Nothing is allocated but for learning. It belongs to one thread at a time.
final class MessageShapes {
    /// Record batches and some dictionaries, each in a few variants.
    static final int MOST = 8;

    /// Length of the longest message that is learned: one of about 65,000 columns.
    static final int MOST_BYTES = 4 << 20;

    /// Messages that are not recognized before a shape is learned.
    private static final int FIRST_PATIENCE = 2;

    /// The same before a shape is replaced. It doubles each time for messages that cannot be learned and
    /// for shapes that do not come again.
    static final int PATIENCE = 64;

    private static final int MOST_PATIENCE = 1 << 16;

    private final MessageShape[] shapes = new MessageShape[MOST];

    /// For each shape, when the search last came to it or left it; negative when it was added, if that
    /// has not happened since.
    private final long[] found = new long[MOST];

    private int count;

    /// The shape that was found or added last, and its place; null if there is none.
    private MessageShape last;

    private int lastPlace;
    private long searches;

    // Messages that were not recognized since the search of this number, and how many there may be.
    private int missed;
    private long missedSince;
    private int patience = FIRST_PATIENCE;

    /// {@return the shape that was found or added last; null if there is none}
    MessageShape last() {
        return last;
    }

    /// Finds another shape than [#last] that the buffer has which a message has wrapped.
    ///
    /// @return the shape, which is then the last one; null if it is not known
    MessageShape findOther(Message message) {
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

    /// Counts a batch message that was not recognized.
    ///
    /// @return whether its shape should be learned
    boolean isWanted() {
        if (++missed < patience) {
            return false;
        }
        final boolean isReplaceable = count < MOST || Math.abs(found[leastRecent()]) <= missedSince;
        missed = 0;
        missedSince = searches;
        return isReplaceable;
    }

    /// Adds the shape of a message. With [#MOST] shapes, it takes the place of the one that was not found
    /// for the longest time.
    ///
    /// @param shape null if the message cannot be learned
    void add(MessageShape shape) {
        if (shape == null) {
            patience = Math.min(2 * patience, MOST_PATIENCE);
            missed = 1; // else it might always be such a message's turn, where they come by turns
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
        if (last != null) {
            found[lastPlace] = found[lastPlace] < 0 ? found[lastPlace] : ++searches;
        }
        shapes[place] = shape;
        found[place] = - ++searches;
        lastPlace = place;
        last = shape;
    }

    private int leastRecent() {
        int place = lastPlace == 0 ? 1 : 0;
        for (int i = 1; i < MOST; i++) {
            final boolean isOlder = Math.abs(found[i]) < Math.abs(found[place]);
            place = isOlder && i != lastPlace ? i : place;
        }
        return place;
    }
}
