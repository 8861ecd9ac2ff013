// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads extension types from the metadata of fields, and checks them against the rules of the
/// canonical types.
///
/// ```java
/// for (ExtensionUse use : ExtensionRegistry.CANONICAL.list(schema)) {
///     System.out.println(use.path() + ": " + use.extensionName() + ", ok=" + use.isOk());
/// }
/// ```
///
/// Records for canonical types with parameters, and [dev.fletch.schema.extension.SimpleType] for
/// those without, have the rules of their storage. A registry also takes readers of an
/// application's own types. Only types whose parameters are JSON need `jackson-core`. Values, such
/// as tensors, are not read here.
///
/// Pages in the sources: `docs/reference/commands.md`, of a command that prints the same.
///
/// **Threads.** All values may be shared, if an application's own readers are thread-safe.
package dev.fletch.schema.extension;
