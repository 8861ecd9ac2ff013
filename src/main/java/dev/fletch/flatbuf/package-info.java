// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads FlatBuffers, independent of Arrow: views of tables, vectors and strings over memory that
/// the caller owns.
///
/// ```java
/// var field = new Field();
/// var name = new Utf8Slice();
/// int bytes = 0;
/// for (int i = 0; i < schema.fieldsCount(); i++) {
///     schema.fields(i, field).name(name); // binds both again: nothing is allocated
///     bytes += name.length();
/// }
/// ```
///
/// Flyweights of tables extend [dev.fletch.flatbuf.Table], for tables of up to eight fields, which
/// is all that Arrow has. The writer is in [dev.fletch.flatbuf.write]; names, ids and rules of
/// Arrow are in `dev.fletch.format`.
///
/// Pages in the sources: `docs/concepts/memory.md` on lifetime and threads,
/// `docs/concepts/verification.md` on what verification guarantees.
///
/// **Threads.** Static methods may be called by any thread; all else belongs to one thread at a
/// time: see [dev.fletch.flatbuf.Flyweight].
package dev.fletch.flatbuf;
