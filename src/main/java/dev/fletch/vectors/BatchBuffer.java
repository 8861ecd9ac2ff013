// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.remote.internal.ByteRange;

/// A buffer in the metadata of a batch.
///
/// @param index of the buffer in the batch
/// @param position of its numbers in the memory of the metadata
/// @param range in the body; an empty one is at 0
record BatchBuffer(int index, long position, ByteRange range) {}
