// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's framing around the metadata: encapsulated messages, streams and files, read and written.
///
/// **Belongs here:** where a message begins and ends, footers and blocks, mapped files, channels; when
/// metadata is verified ([ReadOptions][dev.fletch.ipc.ReadOptions]), and what is wrong with a frame
/// ([IpcFault][dev.fletch.ipc.IpcFault]).
///
/// **Does not:** what is in a body. It is passed on as it lies, or left alone; neither decompressed
/// nor swapped nor read.
///
/// Hot: reading and writing a message allocates nothing after set-up, unless a page says so.
package dev.fletch.ipc;
