// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.ipc.internal.ContainerPart;

import java.util.Map;

/// A message of an input.
///
/// @param index in the input
/// @param offset in the input
/// @param kind one of [MessageHeader]
/// @param block number of its block, dictionaries first; or [ContainerPart#NO_BLOCK]
/// @param dictionaryId of a dictionary batch
/// @param idOffset of this id in the input
/// @param isDelta whether it is a delta
public record InputMessage(
        int index,
        long offset,
        int kind,
        int block,
        long dictionaryId,
        long idOffset,
        boolean isDelta) {
    /// The current message of an input.
    ///
    /// @param dictionary bound to its dictionary batch, if it has one
    public static InputMessage of(Input input, DictionaryBatch dictionary) {
        Message message = input.message;
        boolean isDictionary = message.header(dictionary);
        int idSlot = DictionaryBatch.ID_SLOT;
        return new InputMessage(
                input.index(),
                input.frame().offset(),
                message.headerType(),
                input.blockNumber(),
                isDictionary ? dictionary.id() : 0,
                isDictionary ? input.frame().inputOffset(dictionary.position(idSlot)) : 0,
                isDictionary && dictionary.isDelta());
    }

    /// The message that has defined this dictionary before; null if none has, or if this is a delta
    /// or no dictionary. Salvage leaves out all but the first of an input file; an output file must
    /// have only one, also of a stream's, which may have more.
    ///
    /// @param definitions the first ones, by their ids
    public InputMessage earlier(Map<Long, InputMessage> definitions) {
        return isDictionary() && !isDelta ? definitions.putIfAbsent(dictionaryId, this) : null;
    }

    /// The fault that a dictionary batch replaces its dictionary.
    public Fault replacement() {
        return DictionaryOrder.replaced(idOffset, dictionaryId).in(index, idOffset);
    }

    /// Order in the footer: messages without block come last.
    int order() {
        return block < 0 ? Integer.MAX_VALUE : block;
    }

    public boolean isDictionary() {
        return kind == MessageHeader.DICTIONARY_BATCH;
    }

    public boolean isBatch() {
        return kind == MessageHeader.RECORD_BATCH;
    }

    public boolean isTensor() {
        return kind == MessageHeader.TENSOR || kind == MessageHeader.SPARSE_TENSOR;
    }
}
