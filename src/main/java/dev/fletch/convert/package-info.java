// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Writes the messages of one input as a file or stream, and saves what is complete in damaged ones:
/// `fletch convert`. Not exported.
package dev.fletch.convert;
