// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Checks complete inputs: a file with its footer, blocks, messages and the bytes between them; a stream; a
/// single message or flatbuffer. `fletch verify` and `fletch annotate` show what it finds. Not exported.
///
/// [dev.fletch.check.InputCheck] is where to begin. It goes on after a fault, so it reports all of them.
package dev.fletch.check;
