// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// How texts of others are shown, and what an optional library's are worth. Not exported.
package dev.fletch.text;
