// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Schemas from and to Arrow's integration JSON. Needs `jackson-core`.
///
/// **Belongs here**: the schema part of that JSON.
///
/// **Does not**: its batches, and the JSON of the commands.
///
/// **Threads.** The static methods are thread-safe.
package dev.fletch.json;
