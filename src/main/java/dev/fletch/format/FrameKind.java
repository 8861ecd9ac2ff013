// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// What comes next in a stream or file. Readers return [#MESSAGE], [#END_OF_STREAM] and
/// [#END_OF_INPUT]. A `dev.fletch.ipc.MessageDecoder`, which gets bytes as they arrive, returns
/// [#MESSAGE], [#BODY], [#NEED_MORE] and [#END_OF_STREAM].
///
/// Source: Columnar format, "Encapsulated message format".
public enum FrameKind {
    /// A message: prefix, metadata, body.
    MESSAGE,

    /// A piece of a message's body.
    BODY,

    /// Nothing yet: what comes next needs more bytes than have arrived.
    NEED_MORE,

    /// The end-of-stream marker: 8 bytes, or 4 from writers before Arrow 0.15.0. Later bytes do not
    /// belong to the stream.
    END_OF_STREAM,

    /// The end of the input, which ends a stream like the marker does.
    END_OF_INPUT
}
