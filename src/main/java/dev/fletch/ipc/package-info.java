// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's framing around the metadata: encapsulated messages, streams and files, read and written.
///
/// **In this package**: message prefixes, magic, footers, blocks; mapping files, reading channels, decoding
/// received buffers; verification when an input is opened. Each fault has a rule and an offset in the file or
/// stream: see [dev.fletch.ipc.IpcRules].
///
/// **Not in this package**: the content of bodies. Bodies are skipped, sliced or passed on, never decoded or
/// decompressed.
///
/// **Threads.** Threads may share [dev.fletch.ipc.ReadOptions], [dev.fletch.ipc.KnownSchemas] and a file's
/// memory; all other objects belong to one thread at a time: see [dev.fletch.ipc.ArrowFile].
package dev.fletch.ipc;
