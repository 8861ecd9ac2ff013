// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Inputs of commands: detection of the format, complete messages, and the purpose of each byte.
package dev.fletch.input;
