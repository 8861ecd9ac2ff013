// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.ipc.EncapsulatedMessage;

/// Where a message is in the input, for errors.
///
/// @param batch such as `recordBatches[3]`; null for a schema or footer
/// @param message its index; [dev.fletch.Fault#NO_MESSAGE] in a file
/// @param metadataShift offset in the input of the memory that holds the metadata
/// @param bodyOffset offset in the input of the body
record BatchPlace(String batch, int message, long metadataShift, long bodyOffset) {
    static BatchPlace of(String batch, EncapsulatedMessage frame) {
        return new BatchPlace(batch, frame.index(), frame.inputOffset(0), frame.bodyOffset());
    }
}
