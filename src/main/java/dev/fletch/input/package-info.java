// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Complete inputs: a path, memory, a stream, a link or base64; detection of the format, and
/// complete messages. Not exported.
package dev.fletch.input;
