// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ReceivedBody;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;

import java.nio.ByteBuffer;
import java.util.List;

/// Sums a column of the `FlightData` that a client of Arrow Flight receives: `data_header` is a
/// message without a frame, and gRPC may deliver `data_body` in several buffers.
public class FlightHeader {
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final ReceivedBody body = new ReceivedBody();
    private final BatchCursor cursor = new BatchCursor();
    private final ByteSlice sizes = new ByteSlice();
    private final ByteSlice valid = new ByteSlice();
    private BatchLayout layout;
    public long sum;

    public void received(ByteBuffer dataHeader, List<ByteBuffer> dataBody) {
        frame.wrapMetadata(dataHeader, message);
        if (message.header(schema)) {
            layout = BatchLayout.compile(schema, message.version());
        } else if (message.headerType() == MessageHeader.RECORD_BATCH) {
            body.reset();
            dataBody.forEach(body::add);
            int size = layout.field("size");
            cursor.bind(layout, message).body(body).values(size, ValueType.INT64, sizes);
            boolean hasNulls = cursor.validity(size, valid);
            for (long row = 0; row < cursor.length(size); row++) {
                sum += hasNulls && !valid.bit(row) ? 0 : sizes.int64At(row);
            }
        }
    }
}
