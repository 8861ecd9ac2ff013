// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Rules, faults and exceptions for invalid input, shared by all layers.
///
/// **Belongs here**: the model of a fault. **Does not**: the rules themselves, which each layer declares.
///
/// **Threads.** Rules and exceptions are immutable; a fault belongs to its verifier.
package dev.fletch;
