// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

/// What begins at a message boundary.
public enum FrameKind {
    /// A message: prefix, metadata, body.
    MESSAGE,

    /// The mark that ends a stream, of 8 bytes or, in the form of old writers, 4. What follows it
    /// does not belong to the stream.
    END_OF_STREAM,

    /// The end of the input itself, which ends a stream as well as the mark does.
    END_OF_INPUT
}
