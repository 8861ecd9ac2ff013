// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// FlatBuffers itself, with nothing of Arrow in it: views of tables, vectors and strings over memory
/// that the caller owns.
package dev.fletch.flatbuf;
