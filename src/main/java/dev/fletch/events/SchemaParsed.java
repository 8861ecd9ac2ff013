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

@Name("dev.fletch.SchemaParsed")
@Label("Schema Parsed")
@Category("Fletch")
@Description("A schema was read, because it was not recognized")
@Enabled(false)
@StackTrace(false)
final class SchemaParsed extends Event {
    /// For isEnabled().
    static final SchemaParsed ANY = new SchemaParsed();

    @Label("Kind")
    @Description("Schema, for a message, or Footer")
    String kind;

    @Label("Metadata")
    @DataAmount
    long bytes;
}
