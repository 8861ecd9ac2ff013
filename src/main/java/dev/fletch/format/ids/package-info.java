// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Defines the numbers and names of the format's enums and unions, and the roles of buffers.
///
/// ```java
/// System.out.println(MessageHeader.NAMES.name(message.headerType())); // RecordBatch
/// ```
///
/// Flyweights return numbers, as they are in the bytes. Each class here has the constants of one
/// enum, and [dev.fletch.format.ids.EnumNames] their names: also for a number of a newer format,
/// such as `Type(42)`.
///
/// Pages in the sources: `docs/concepts/layouts.md`, `docs/reference/coverage.md`.
///
/// **Threads.** All may be shared.
package dev.fletch.format.ids;
