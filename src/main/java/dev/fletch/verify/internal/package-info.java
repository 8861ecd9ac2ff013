// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The checks of complete inputs: a file with its footer, blocks, messages and the bytes between
/// them; a stream; a single message or flatbuffer. [dev.fletch.verify.internal.InputCheck] is where
/// to begin. Not exported.
package dev.fletch.verify.internal;
