// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.forward.BatchProjector;
import dev.fletch.forward.Projection;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.remote.HttpRangeSource;
import dev.fletch.remote.RangedFile;

import java.lang.foreign.Arena;

/// Sums a column of a file behind a link. Of the bodies, only this column is read. Arguments: the
/// link, and the name of a column of integers.
public class RemoteColumn {
    public static void main(String[] args) throws Exception {
        var frame = new EncapsulatedMessage();
        var message = new Message();
        var schema = new Schema();
        var cursor = new BatchCursor();
        var values = new ColumnValues();
        long sum = 0;
        try (var file = RangedFile.open(HttpRangeSource.of(args[0]))) {
            file.footer().schema(schema);
            var layout = BatchLayout.compile(schema, file.footer().version());
            var projection = Projection.of(layout, args[1]);
            var projector = new BatchProjector(projection);
            var columns = projection.layout().alone();
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                int length = projector.write(message); // a header for a body of this column alone
                // The file claims this length: compare it with a limit of your own before.
                var body = Arena.ofAuto().allocate(projector.bodyLength(), 64);
                file.read(frame, projector, body);
                cursor.bind(columns, message.wrap(projector.written(), 0, length), body);
                values.bind(cursor, 0);
                for (long row = 0; row < values.length(); row++) {
                    sum += values.isNull(row) ? 0 : values.integer(row);
                }
            }
        }
        System.out.println(sum);
    }
}
