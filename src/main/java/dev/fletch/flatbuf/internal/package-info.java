// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The verifier's engine: tables declared as data, a quick pass that accepts, and a full pass that
/// reports every fault. Not exported.
///
/// **Belongs here**: the decisions of the official verifier, for any FlatBuffers schema, and other
/// passes over a buffer by its rules.
///
/// **Does not**: Arrow's rules, which are in `dev.fletch.format.internal`.
///
/// **Threads.** Rules are immutable; an engine belongs to one thread at a time.
package dev.fletch.flatbuf.internal;
