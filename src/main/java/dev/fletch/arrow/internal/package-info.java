// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The walk over the messages of a file or stream, for all readers of batches: of columns, and of
/// arrow-java's vectors.
package dev.fletch.arrow.internal;
