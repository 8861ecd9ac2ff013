// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Fault;
import dev.fletch.command.SchemaTables;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;

/// Streams that `fletch verify` accepts, and faults that are too large for the corpus, or not the
/// same from a pipe.
class VerifyStreamTest {
    private static final byte[] SCHEMA = Frames.emptySchema();
    private static final byte[] BATCH = Frames.recordBatch(3, 0);
    private static final byte[] END = Frames.END;

    private static List<String> found(byte[]... parts) {
        byte[] stream = Frames.join(parts);
        List<String> found = Verified.of(stream).brief();
        assertEquals(found, Verified.piped(stream).brief());
        return found;
    }

    @Test
    void streamMayEndWithOrWithoutAMarker() {
        assertEquals(List.of(), found(SCHEMA));
        assertEquals(List.of("file no-end-marker"), found(SCHEMA, BATCH));
        assertEquals(List.of(), found(SCHEMA, BATCH, END));
        assertEquals(List.of(), found(SCHEMA, BATCH, new byte[4]));
    }

    /// Unless the body was read from a pipe.
    @Test
    void messagesInsideABodyThatDoesNotEndAreFound() {
        byte[] endless = Frames.recordBatch(3, Long.MAX_VALUE);
        Verified found = Verified.of(Frames.join(SCHEMA, endless, BATCH, END));
        assertEquals(
                List.of(
                        "frame body-unaligned 1 bodyLength",
                        "frame body-longer 1 bodyLength",
                        "frame body-out-of-input 1"),
                found.brief());
        assertEquals(2, found.check().report().recordBatches());
    }

    @Test
    void faultsOverTheLimitAreCountedAsOne() {
        FbsValue.Table pair = SchemaTables.table("KeyValue", "key", "k", "value", "v");
        List<FbsValue.Table> pairs = Collections.nCopies(150_000, pair);
        FbsValue.Table message =
                SchemaTables.table("Message", "version", 4, "custom_metadata", pairs);
        byte[] stream = Frames.encapsulated(SchemaTables.bytes(message));
        assertEquals(List.of("meaning no-header 0 header"), found(stream));
        // All elements of the one vector of 150_000: none leads to a table any more.
        ByteBuffer all = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        int vector = 8;
        while (all.getInt(vector) != 150_000) {
            vector += 4;
        }
        for (int i = 1; i <= 150_000; i++) {
            all.putInt(vector + 4 * i, 1 << 30);
        }
        List<Fault> found = Verified.of(stream).findings();
        assertEquals(CheckReport.MAX_FAULTS + 1, found.size());
        assertEquals("table-out-of-range", found.getFirst().rule().id());
        assertEquals("customMetadata[99999]", found.get(99_999).path());
        assertEquals("more-faults", found.getLast().rule().id());
        assertEquals("more faults than shown: shown=100000", found.getLast().text());
    }
}
