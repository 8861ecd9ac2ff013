// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FileRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.convert.Converted;
import dev.fletch.format.Block;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.DamageBase;
import dev.fletch.testdata.DamageBase.Form;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.ProducerStyle;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// `verify` and `convert` name the same messages without a block: those behind others, behind
/// zeros, and behind other bytes, as a damaged message leaves them.
class MessagesWithoutBlockTest {
    /// What is in place of the first message without a block.
    private enum First {
        WHOLE,
        ZEROS,
        OTHER_BYTES
    }

    @Test
    void verifyAndConvertNameTheSame() {
        int cases = 0;
        for (ProducerStyle style : ProducerStyle.values()) {
            DamageBase base =
                    DamageBase.of(
                            style.stream(), style.headLength(), Form.FILE, new SplittableRandom(1));
            List<OracleMessage> batches =
                    base.messages().stream().filter(OracleMessage::isRecordBatch).toList();
            for (int kept = 0; kept < batches.size(); kept++) {
                for (First first : First.values()) {
                    byte[] bytes = withOneBlock(base.bytes(), kept);
                    List<Long> lost = new ArrayList<>();
                    for (OracleMessage each : batches) {
                        if (each != batches.get(kept)) {
                            lost.add(each.offset());
                        }
                    }
                    if (first != First.WHOLE) {
                        OracleMessage other = batches.get(kept == 0 ? 1 : 0);
                        byte fill = (byte) (first == First.ZEROS ? 0 : 0x5A);
                        Arrays.fill(bytes, (int) other.offset(), (int) other.endOffset(), fill);
                        lost.removeFirst();
                    }
                    String title = style.id() + ", kept=" + kept + ", first=" + first;
                    assertEquals(lost, namedByVerify(bytes), title);
                    assertEquals(lost, namedByConvert(bytes), title);
                    cases++;
                }
            }
        }
        assertTrue(cases >= 50, "cases=" + cases);
    }

    /// All blocks of record batches lead to the same one.
    private static byte[] withOneBlock(byte[] file, int kept) {
        byte[] bytes = file.clone();
        try (ArrowFile of = ArrowFile.of(MemorySegment.ofArray(file))) {
            Block block = new Block();
            int from = (int) of.footer().recordBatches(kept, block).position();
            for (int i = 0; i < of.recordBatchCount(); i++) {
                int to = (int) of.footer().recordBatches(i, block).position();
                System.arraycopy(file, from, bytes, to, Block.BYTES);
            }
        }
        return bytes;
    }

    private static List<Long> namedByVerify(byte[] bytes) {
        List<Long> named = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(bytes),
                ReadOptions.VERIFY.withChecks(Checks.DEFAULT.enabled()),
                fault -> {
                    if (fault.rule() == FileRule.MESSAGE_WITHOUT_BLOCK) {
                        named.add(fault.position());
                    }
                });
        return named;
    }

    private static List<Long> namedByConvert(byte[] bytes) {
        return Converted.of(bytes, ArrowContainer.STREAM, false).report().notes().stream()
                .filter(each -> each.contains("RecordBatch has no block in the footer"))
                .map(each -> Long.parseLong(each, 7, each.indexOf(':'), 10))
                .toList();
    }
}
