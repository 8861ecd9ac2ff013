// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.remote.HttpRangeSource;
import dev.fletch.remote.RangedFile;

/// Prints the rows of each batch of a file behind a link. Only the footer and the headers of the
/// batches are read.
public class RemoteHeaders {
    public static void main(String[] args) throws Exception {
        var frame = new EncapsulatedMessage();
        var message = new Message();
        var batch = new RecordBatch();
        try (var file = RangedFile.open(HttpRangeSource.of(args[0]))) {
            file.requestRecordBatches(0, file.recordBatchCount()); // several at once
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                message.header(batch);
                System.out.println(batch.length() + " rows");
            }
        }
    }
}
