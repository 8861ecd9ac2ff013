// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Rules, faults and exceptions: what all layers say of bytes that are wrong.
///
/// **Belongs here**: the model of a fault. **Does not**: the rules themselves, which each layer declares.
///
/// **Threads.** Rules and exceptions never change; a fault belongs to its verifier.
package dev.fletch;
