// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// The shapes of the batch messages that one reader has met, at most [#MOST] at a time.
///
/// A shape is learned from the second batch message on that is not recognized. Once all places are
/// taken, a shape is replaced only after [#PATIENCE] such messages: learning takes several times as
/// long as reading a message, and is in vain in a stream in which no shape comes again.
///
/// Nothing is allocated but for learning. It belongs to one thread at a time.
final class MessageShapes {
    /// Record batches and some dictionaries, each in a few variants.
    static final int MOST = 8;

    /// Messages that are not recognized before a shape is learned.
    static final int FIRST_PATIENCE = 2;

    /// The same before a shape is replaced. It grows up to this for messages that cannot be learned.
    static final int PATIENCE = 64;

    /// Length of the longest message that is learned: one of about 65,000 columns.
    static final int MOST_BYTES = 4 << 20;

    private final MessageShape[] shapes = new MessageShape[MOST];

    /// For each shape, when the search came to it from another one.
    private final long[] found = new long[MOST];

    private int count;

    /// The shape that was found last; null if there is none.
    private MessageShape last;

    private long searches;
    private int missed;
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
            final MessageShape shape = shapes[i];
            if (shape != last && message.has(shape)) {
                found[i] = ++searches;
                last = shape;
                return shape;
            }
        }
        return null;
    }

    /// Counts a batch message that was not recognized.
    ///
    /// @return whether its shape should be learned
    boolean isWanted() {
        return ++missed >= patience;
    }

    /// Adds the shape of a message, if it can be learned. With [#MOST] shapes, it takes the place of
    /// the one that was not found for the longest time.
    ///
    /// @param shape null if it cannot
    void add(MessageShape shape) {
        missed = 0;
        if (shape == null) {
            patience = Math.min(2 * patience, PATIENCE);
            return;
        }
        int place = count;
        if (count < MOST) {
            count++;
        } else {
            place = shapes[0] == last ? 1 : 0;
            for (int i = 1; i < MOST; i++) {
                place = found[i] < found[place] && shapes[i] != last ? i : place;
            }
        }
        patience = count < MOST ? FIRST_PATIENCE : PATIENCE;
        shapes[place] = shape;
        found[place] = ++searches;
        last = shape;
    }
}
