// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads and verifies Arrow's metadata: one flyweight for each table of the declarations in
/// `format/`, and the [dev.fletch.format.Verifier]. The ids of their enums and unions are in
/// [dev.fletch.format.ids].
///
/// ```java
/// var message = new Message().wrap(metadata); // keep flyweights, and wrap them again
/// var batch = new RecordBatch();
/// if (message.header(batch)) {
///     System.out.println(batch.length() + " rows, " + message.bodyLength() + " bytes");
/// }
/// ```
///
/// Accessors, errors, lifetime and threads of flyweights: see [dev.fletch.flatbuf.Table] and
/// [dev.fletch.flatbuf.Struct].
///
/// Tests compare each slot, default, id, accessor and rule with the declarations. Writing is in
/// [dev.fletch.format.write], messages and files in `dev.fletch.ipc`, schemas as values in
/// `dev.fletch.schema`.
///
/// Pages in the sources: `docs/concepts/verification.md`, `docs/how-to/verify.md`,
/// `docs/how-to/write.md` (numbers changed in place).
///
/// **Threads.** Enums and static methods may be used by any thread; all else belongs to one at a
/// time.
package dev.fletch.format;
