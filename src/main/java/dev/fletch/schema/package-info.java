// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Represents schemas as immutable values, to build, print and compare them. They allocate, so keep
/// them out of hot code.
///
/// ```java
/// for (SchemaChange change : yesterday.diff(today)) {
///     System.out.println(change); // such as: size: type int32 → int64
/// }
/// ```
///
/// Constructors check their arguments. An [dev.fletch.schema.InvalidSchemaException] names the
/// field and the value that break a rule of the format.
///
/// There are two kinds of equality. `equals` is exact: it distinguishes all that the bytes
/// distinguish, such as an empty vector from an absent one.
/// [semanticallyEquals][dev.fletch.schema.ArrowSchema#semanticallyEquals] and
/// [diff][dev.fletch.schema.ArrowSchema#diff] compare the meaning.
///
/// [dev.fletch.schema.SchemaJson] reads and writes the schema part of the JSON that the format's
/// integration tests use; only that class needs `jackson-core`.
///
/// Pages in the sources: `docs/how-to/write.md` makes a schema, `docs/how-to/streams.md` reads one
/// from Parquet, `docs/reference/json.md` has the JSON of the commands.
///
/// **Threads.** All values are immutable and thread-safe.
package dev.fletch.schema;
