// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// The kind of data at a message boundary of a stream or file.
///
/// Source: Columnar format, "Encapsulated message format".
public enum FrameKind {
    /// A message: prefix, metadata, body.
    MESSAGE,

    /// The end-of-stream marker: 8 bytes, or 4 from writers before Arrow 0.15.0. Later bytes do not
    /// belong to the stream.
    END_OF_STREAM,

    /// The end of the input, which ends a stream like the marker does.
    END_OF_INPUT
}
