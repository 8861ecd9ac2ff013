// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
/// A small parser of FlatBuffers schema files, for tests only: it turns `format/*.fbs` into records
/// that hand-written code is held against.
///
/// It reads what Arrow's five files use and refuses the rest by name of file and line, so that a
/// declaration it does not understand cannot slip through a comparison.
package dev.fletch.fbs;
