// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Verifies the values of all messages of an input. Not exported.
package dev.fletch.values.walk;
