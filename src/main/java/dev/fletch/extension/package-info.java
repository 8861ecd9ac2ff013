// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Extension types: what a field's metadata says about the meaning of its values, checked against
/// the rules of the canonical types.
package dev.fletch.extension;
