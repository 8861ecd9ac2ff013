// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.Footer;
import dev.fletch.format.ids.MessageHeader;

/// The numbers of a footer's blocks: first those of dictionaries, then those of record batches.
///
/// @param dictionaries how many blocks of dictionaries there are
/// @param batches how many blocks of record batches there are
public record BlockNumbers(int dictionaries, int batches) {
    public static BlockNumbers of(Footer footer) {
        return new BlockNumbers(footer.dictionariesCount(), footer.recordBatchesCount());
    }

    /// {@return how many blocks there are}
    public int count() {
        return dictionaries + batches;
    }

    /// {@return the kind of message that a block leads to}
    public int kind(int number) {
        return number < dictionaries ? MessageHeader.DICTIONARY_BATCH : MessageHeader.RECORD_BATCH;
    }

    /// {@return the index of a block among those of its kind}
    public int index(int number) {
        return number < dictionaries ? number : number - dictionaries;
    }

    /// {@return the path of a block in the footer by its kind and index, such as
    /// `recordBatches[3]`}
    public static String path(int kind, int index) {
        boolean isDictionary = kind == MessageHeader.DICTIONARY_BATCH;
        return (isDictionary ? "dictionaries[" : "recordBatches[") + index + "]";
    }

    /// {@return the number of a block}
    ///
    /// @param kind of message that it leads to
    /// @param index among the blocks of that kind
    public int number(int kind, int index) {
        return kind == MessageHeader.DICTIONARY_BATCH ? index : dictionaries + index;
    }
}
