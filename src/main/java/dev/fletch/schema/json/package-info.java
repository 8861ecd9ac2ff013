// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Schemas from and to Arrow's integration JSON. Needs `jackson-core`.
///
/// ```java
/// String text = SchemaJson.text(ArrowSchema.of(schema));
/// ArrowSchema same = SchemaJson.parse(text);
/// ```
///
/// This is the schema part of the JSON that the format's integration tests use. Batches are not
/// read or written.
///
/// Pages in the sources: `docs/reference/json.md`.
///
/// **Threads.** The static methods may be used by any number of threads.
package dev.fletch.schema.json;
