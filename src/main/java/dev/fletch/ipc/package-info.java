// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's framing around the metadata: encapsulated messages, streams and files, read and written.
///
/// **Belongs here**: prefixes, magic, footers, blocks and their order; mapping files, reading
/// channels and decoding buffers that arrive; what is verified when something is opened. Every fault has a name and an offset in the
/// file or stream: [dev.fletch.ipc.IpcRules].
///
/// **Does not**: what is inside a body. Bodies are skipped, sliced or handed through, and neither
/// looked into nor decompressed.
///
/// **Threads.** [dev.fletch.ipc.ReadOptions] may be shared, and so may the memory of a file; all else
/// belongs to one thread at a time: see [dev.fletch.ipc.ArrowFile].
package dev.fletch.ipc;
