// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
/// What the tests of other packages read: golden files, real data written by Arrow's own library,
/// random tables, memory of every kind, and a listing of IPC bytes to compare with.
///
/// Nothing that others are compared with uses Fletch: only [FileBatches], [InputBatches] and
/// [VectorTexts] read with it. What is compared comes from flatc's generated classes of
/// `arrow-format`, from `arrow-vector`, or from code written for this purpose alone.
package dev.fletch.testdata;
