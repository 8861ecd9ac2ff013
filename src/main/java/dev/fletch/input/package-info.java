// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Inputs of any kind: what their bytes are, their messages as far as they are complete, and what each
/// byte is for.
package dev.fletch.input;
