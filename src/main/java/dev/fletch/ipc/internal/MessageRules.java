// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;

/// Checks the meaning of messages, each by itself: what depends on the order of messages does not
/// count.
public interface MessageRules {
    /// Compares later batches with the schema of a footer.
    default void useFooter(Footer footer) {}

    /// Compares later batches with the schema of a message, or with the first one that was used. In
    /// a file, these are the footer's and the message's, of which one may be damaged; in a stream,
    /// another stream may be among the values.
    default void useSchema(Message message) {}

    /// Whether there is a schema.
    default boolean hasSchema() {
        return false;
    }

    /// The first rule that a message breaks; null if there is none.
    Rule broken(Message message);
}
