// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Schemas in Arrow's integration JSON, both ways. `jackson-core` is needed here, and may be absent
/// where this package is not used.
///
/// **Belongs here**: the schema's part of that JSON, strictly as the format's integration tests have
/// it, in memory that follows the input and never its claims.
///
/// **Does not**: the batches' part of it, and any JSON of the command's own.
///
/// **Threads.** Its methods are static and may be used by any number of threads.
package dev.fletch.json;
