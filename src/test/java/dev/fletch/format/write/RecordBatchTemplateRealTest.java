// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Templates of real batches: with the numbers of the batch they give its bytes again, and with
/// those of the next batch of the same schema the bytes of that.
class RecordBatchTemplateRealTest {
    private final byte[] target = new byte[1 << 18];
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private int written;
    private int fromAnother;

    @Test
    void realBatchesComeOutAgain() {
        if (Goldens.present()) {
            Goldens.all().forEach(each -> all(Goldens.title(each), Goldens.read(each)));
        }
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            all(each.name(), each.stream());
        }
        System.out.printf(
                "Templates of real batches: all %d identical, %d of them by a template of another"
                        + " batch%n",
                written, fromAnother);
        assertTrue(written > 100, "written=" + written);
        assertTrue(fromAnother > 50, "fromAnother=" + fromAnother);
    }

    private void all(String title, byte[] input) {
        Map<String, RecordBatchTemplate> templates = new HashMap<>();
        for (OracleMessage each : OracleListing.list(input).messages()) {
            if (each.rows() == null) {
                continue;
            }
            byte[] original = new byte[each.metadata().remaining()];
            each.metadata().get(original);
            message.wrap(MemorySegment.ofArray(original));
            boolean found = false;
            for (EmissionOrder order : EmissionOrder.values()) {
                RecordBatchTemplate own = RecordBatchTemplate.of(order, message);
                byte[] bytes = writtenBy(own);
                assertArrayEquals(rewritten(order), bytes, title);
                if (isPrefix(bytes, original)) {
                    found = true;
                    String shape = shape(order);
                    RecordBatchTemplate before = templates.putIfAbsent(shape, own);
                    if (before != null) {
                        assertArrayEquals(bytes, writtenBy(before), title);
                        fromAnother++;
                    }
                    break;
                }
            }
            assertTrue(found, title + ": message " + each.index() + " is in no order");
            written++;
        }
    }

    private void bind() {
        if (!message.header(batch)) {
            assertTrue(message.header(dictionary) && dictionary.data(batch));
        }
    }

    /// What has to be equal for two batches to have one template; the rest of a real one is.
    private String shape(EmissionOrder order) {
        bind();
        return "%s %d %d %d %d %d %b"
                .formatted(
                        order,
                        message.headerType(),
                        batch.nodesCount(),
                        batch.buffersCount(),
                        batch.variadicBufferCountsCount(),
                        message.headerType() == MessageHeader.DICTIONARY_BATCH
                                ? dictionary.id()
                                : -1,
                        message.headerType() == MessageHeader.DICTIONARY_BATCH
                                && dictionary.isDelta());
    }

    private byte[] writtenBy(RecordBatchTemplate template) {
        bind();
        long[] nodes = new long[2 * batch.nodesCount()];
        long[] buffers = new long[2 * batch.buffersCount()];
        long[] counts = new long[batch.variadicBufferCountsCount()];
        batch.copyNodes(nodes, 0);
        batch.copyBuffers(buffers, 0);
        batch.copyVariadicBufferCounts(counts, 0);
        int length =
                template.write(
                        MemorySegment.ofArray(target),
                        0,
                        batch.length(),
                        message.bodyLength(),
                        nodes,
                        buffers,
                        counts);
        return Arrays.copyOf(target, length);
    }

    private byte[] rewritten(EmissionOrder order) {
        FlatBufferWriter writer = new FlatBufferWriter(order.dialect()).reset();
        new MetadataWriter(order, writer).message(message);
        return writer.toByteArray();
    }

    /// Whether the original is this, and padding.
    private static boolean isPrefix(byte[] bytes, byte[] original) {
        return bytes.length <= original.length
                && Arrays.equals(Arrays.copyOf(bytes, original.length), original);
    }
}
