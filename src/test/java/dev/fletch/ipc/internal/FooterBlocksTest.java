// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import static dev.fletch.ipc.internal.FooterBlocks.Way.BLOCKS;
import static dev.fletch.ipc.internal.FooterBlocks.Way.PLAN;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.convert.Converted;
import dev.fletch.format.Footer;
import dev.fletch.input.SchemaFit;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

class FooterBlocksTest {
    private static final long ZEROS_AND_MARKER = 0xFFFF_FFFFL;
    private static final int LOST_BYTES = 3;

    /// Zeros and markers in front of the last batch are parts of a plan, of which only the first are
    /// kept. What follows them is found all the same.
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void damageBehindManyPartsIsFound(int count) {
        byte[] sound = file(count, 0);
        assertEquals(BLOCKS, way(sound));
        assertEquals(3, batches(sound));

        byte[] damaged = file(count, LOST_BYTES);
        assertEquals(PLAN, way(damaged));
        assertEquals(2, batches(damaged));
        Converted salvaged = Converted.of(damaged, ArrowContainer.FILE, true);
        assertEquals(2, salvaged.report().batches());
        assertEquals(1, salvaged.report().leftOutCount());
    }

    private static FooterBlocks.Way way(byte[] file) {
        MemorySegment memory = MemorySegment.ofArray(file);
        Footer footer = FileTail.usable(memory, Limits.DEFAULT);
        long end = FileTail.footerOffset(file.length, FileTail.footerLength(memory));
        FooterBlocks blocks = new FooterBlocks(footer, end);
        return blocks.way(memory, footer, true, new SchemaFit());
    }

    private static long batches(byte[] file) {
        ReadOptions options = ReadOptions.VERIFY;
        return Arrow.verify(MemorySegment.ofArray(file), options, _ -> {}).completeBatches();
    }

    /// @param count number of zeros and markers in front of the last batch
    /// @param lost number of bytes that its body loses
    private static byte[] file(int count, int lost) {
        byte[] file = TradesSample.file();
        OracleMessage last = OracleListing.list(file).messages().getLast();
        int at = (int) last.offset();
        int between = count * 2 * Long.BYTES;
        int body = at + last.prefixLength() + last.metadataLength();
        ByteBuffer out = ByteBuffer.allocate(file.length + between - lost);
        out.order(ByteOrder.LITTLE_ENDIAN).put(file, 0, at);
        for (int i = 0; i < count; i++) {
            out.putLong(0).putLong(ZEROS_AND_MARKER);
        }
        out.put(file, at, body - at);
        int footer = out.position() - lost + (int) last.bodyLength();
        out.put(file, body + lost, file.length - body - lost);
        for (int i = footer; i <= out.capacity() - Long.BYTES; i++) {
            if (out.getLong(i) == at) { // the offset in its block
                out.putLong(i, at + between);
            }
        }
        return out.array();
    }
}
