// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

/// Where something stands in a text.
///
/// @param line from 1
/// @param column from 1
/// @param path keys and indexes that lead there
record Place(int line, int column, String path) {}
