// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What Arrow requires beyond a sound structure: of messages one after the other, and of the values
/// in their bodies. [dev.fletch.verify.messages.SemanticVerifier] and
/// [dev.fletch.verify.messages.ValueVerifier] are where to begin. Not exported.
package dev.fletch.verify.messages;
