// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Types and schemas as text: for display, and as integration JSON. The reader of JSON. Not
/// exported.
///
/// **Belongs here**: text from tables, also of invalid schemas. Schemas as values are written as
/// tables first. Values of JSON, without their meaning. The schema in a Parquet file.
///
/// Only [dev.fletch.schema.internal.IntegrationJson] and
/// [dev.fletch.schema.internal.JsonCursor] need `jackson-core`.
///
/// **Threads.** The static methods may be used by any number of threads.
package dev.fletch.schema.internal;
