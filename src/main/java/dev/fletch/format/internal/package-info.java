// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The checks of schemas, batches and dictionaries that readers, verifiers and values have in
/// common, the walk over the fields of a schema, and the target of templates. Not exported.
///
/// **Belongs here**: checks of what flyweights show, which report to a [dev.fletch.FaultSink] or
/// return the broken rule, and the limits of schemas.
///
/// **Does not**: layouts of batches, bodies, frames.
///
/// **Threads.** Functions have no state; all else belongs to one thread at a time.
package dev.fletch.format.internal;
