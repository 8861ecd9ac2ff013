// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Loads and stores, memory ranges, UTF-8 and shapes, shared by all packages. Not exported.
///
/// **Belongs here**: code about bytes that does not depend on tables; all workarounds for the JIT
/// compiler; escaping and shortening of untrusted text in messages; base64.
///
/// **Does not**: vtables, tables and Arrow.
///
/// ## Written for the JIT compiler
///
/// C2, the JVM's optimizing compiler, inlines calls until a method has 18,000 nodes, and leaves the
/// rest as calls. It also merges and moves loads. Hot code is written for it in these ways; where a
/// comment names one, this is what it means:
///
/// - **Kept apart by recursion.** C2 inlines a recursion only once. A method with a parameter
///   `detours` calls itself twice first, so that what follows is compiled by itself and not inlined
///   into the caller, whose budget is left for accessors; or so that a loop is vectorized, which it
///   often is not inside of another method.
/// - **Kept apart by length.** C2 never inlines a method with more than 325 bytes of code, and
///   always one with at most 35.
/// - **Compared before it is stored.** Storing a reference costs a barrier of the garbage
///   collector. Mostly the same reference is there already.
/// - **Bound told to C2.** A test or mask that never changes anything tells C2 how large a number
///   or an array is, so that it omits checks of bounds.
/// - **Class told to C2.** A cast to the class of native segments, in the method that reads: see
///   [dev.fletch.wire.MemoryRange#cast]. What another method has cast is not known.
/// - **No confined arena.** C2 moves the check that a confined arena's thread reads in front of a
///   loop, and there also checks memory that belongs to no thread. In a JVM that has used both,
///   this fails: each method with such a loop is compiled up to 100 times, and takes ten times as
///   long meanwhile, which is seconds. Only [dev.fletch.ipc.ArrowFile#open] has one, as closing it
///   takes 15 to 40 µs less than closing a shared arena.
/// - **A load of its own.** HotSpot can turn a failed load of mapped memory into an [InternalError]
///   only if the load is not merged with other steps: see [dev.fletch.wire.Wire]. The JVM may throw
///   it late, when a method returns, so public methods catch it around all that they call.
///
/// **Threads.** Static methods and shapes are thread-safe; other objects belong to one thread.
package dev.fletch.wire;
