// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Schemas in Arrow's integration JSON, both ways. `jackson-core` is needed here, and may be absent
/// where this package is not used.
///
/// **Belongs here:** the words of that format for schemas, and what is refused of a document.
///
/// **Does not:** batches and their values, which integration files have too; the JSON that the
/// `fletch` command prints, which is a matter of the command.
///
/// Cold: it reads into and writes from the schemas of `model`, and allocates.
package dev.fletch.json;
