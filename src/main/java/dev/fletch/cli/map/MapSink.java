// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.ipc.ArrowContainer;

import java.io.IOException;

/// Takes the results of a [MapWalk], in the order of the bytes.
interface MapSink {
    /// Called once, before anything else.
    default void start(ArrowContainer container) throws IOException {}

    /// Called when the schema is known, before its own message.
    default void plan(MapPlan plan) throws IOException {}

    /// Called for each message, the schema's own included.
    ///
    /// @param message valid during the call
    void message(MapMessage message) throws IOException;

    /// Called after the last message.
    ///
    /// @param rest has the extents behind the messages
    void end(MapMessage rest, MapTotals totals) throws IOException;
}
