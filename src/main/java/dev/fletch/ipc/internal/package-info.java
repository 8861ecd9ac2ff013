// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The walk over the messages of a stream or file, and the rules of frames, blocks and the end of a
/// file. Not exported.
///
/// A check reports to a [dev.fletch.FaultSink]: the sink of a reader throws at the first error,
/// that of a verifier collects. [dev.fletch.ipc.internal.MessageWalk] steps through messages
/// and continues after damage.
package dev.fletch.ipc.internal;
