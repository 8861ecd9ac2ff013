// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.fletch.MessageNotRecognized")
@Label("Message Not Recognized")
@Category("Fletch")
@Description("A message or footer was verified, because the reader had not learned it")
@Enabled(false)
@StackTrace(false)
final class MessageNotRecognized extends Event {
    /// For isEnabled().
    static final MessageNotRecognized ANY = new MessageNotRecognized();

    @Label("Kind")
    @Description("The header of the message, or Footer")
    String kind;

    @Label("Reason")
    String reason;

    @Label("Metadata")
    @DataAmount
    long bytes;
}
