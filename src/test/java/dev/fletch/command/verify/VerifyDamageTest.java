// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.Limits;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.schema.internal.IntegrationJson;
import dev.fletch.schema.internal.SchemaText;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/// Damage anywhere: `fletch verify` has a verdict on everything, and what it calls fine the other
/// commands can read to the end.
@Order(1) // takes long
class VerifyDamageTest {
    /// From one byte of the sample that is damaged to the next. An odd number, so that each bit is
    /// flipped.
    private static final int SAMPLE_STEP = CaseCount.of(53, 1);

    /// From one byte of a golden that is damaged to the next.
    private static final int MOST_STEP = CaseCount.of(1_500, 24);

    /// From one cut within metadata to the next. Messages begin at multiples of it.
    private static final int METADATA_CUT_STEP = CaseCount.of(9, 1);

    /// From one cut within a body to the next.
    private static final int CUT_STEP = CaseCount.of(1_024, 64);

    private static final int DAMAGED = CaseCount.of(60, 1_500);

    private static final int[] VALUES = {0, 1, 4, 0x7F, 0x80, 0xFF};

    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final KeyValue pair = new KeyValue();

    private int inputs;
    private int fine;
    private long faults;

    // ---- tests

    @Test
    void changedBytesOfTheSampleHaveAVerdict() throws IOException {
        for (byte[] sample : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            BitSet bodies = bodies(sample);
            for (int at = 0; at < sample.length; at += SAMPLE_STEP) {
                if (bodies.get(at)) {
                    continue;
                }
                byte right = sample[at];
                for (int value : VALUES) {
                    sample[at] = (byte) value;
                    check(sample);
                }
                sample[at] = (byte) (right ^ 1 << at % Byte.SIZE);
                check(sample);
                sample[at] = right;
            }
        }
        report("each byte of the samples");
    }

    @Test
    void changedBytesOfGoldensHaveAVerdict() throws IOException {
        Random random = new Random(3);
        for (Path golden : Goldens.all()) {
            byte[] bytes = Goldens.read(golden);
            BitSet bodies = bodies(bytes);
            for (int at = 0; at < bytes.length; at += 1 + random.nextInt(MOST_STEP)) {
                if (bodies.get(at)) {
                    continue;
                }
                byte right = bytes[at];
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : right + 1);
                check(bytes);
                bytes[at] = right;
            }
        }
        report("bytes of goldens");
    }

    /// A stricter rule that is broken hides nothing that is told without it.
    @Test
    void strictVerificationReportsAllUsualFaults() throws IOException {
        Random random = new Random(7);
        for (byte[] sample : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            BitSet bodies = bodies(sample);
            for (int i = 0; i < DAMAGED; i++) {
                byte[] damaged = sample.clone();
                for (int n = random.nextInt(1, 4); n > 0; n--) {
                    int at = bodies.nextClearBit(random.nextInt(sample.length));
                    if (at < sample.length) {
                        damaged[at] = (byte) VALUES[random.nextInt(VALUES.length)];
                    }
                }
                check(damaged);
                List<String> usual =
                        new ArrayList<>(places(damaged, Checks.DEFAULT.with(Check.NESTING, true)));
                usual.removeAll(places(damaged, Checks.STRICT));
                assertEquals(List.of(), usual);
            }
        }
        report("stricter than usual");
    }

    private static List<String> places(byte[] bytes, Checks options) {
        return Verified.of(bytes, options).findings().stream()
                .map(each -> each.rule().id() + "@" + each.position())
                .toList();
    }

    @Test
    void truncatedInputsHaveAVerdict() throws IOException {
        for (byte[] sample : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            BitSet bodies = bodies(sample);
            for (int length = 0; length < sample.length; length++) {
                if (bodies.get(length) ? length % CUT_STEP == 1 : length % METADATA_CUT_STEP == 0) {
                    byte[] cut = Arrays.copyOf(sample, length);
                    check(cut);
                    List<Fault> mapped = Verified.of(cut).findings();
                    assertEquals(mapped, Verified.piped(cut).findings(), "length=" + length);
                }
            }
        }
        report("cuts");
    }

    /// Without the magic at the end, bytes of messages are no footer.
    @Test
    void truncatedFilesHaveNoFaultsOfAFooter() {
        byte[] file = TradesSample.file();
        for (int size = 20; size < file.length; size += CaseCount.of(41, 1)) {
            Verified found = Verified.of(Arrays.copyOf(file, size));
            for (String each : found.brief()) {
                boolean isOfFooter =
                        each.contains("block")
                                || each.contains("footer-")
                                || each.contains("Batches[");
                assertFalse(isOfFooter, size + " bytes: " + each);
            }
        }
    }

    private void report(String what) {
        System.out.printf(
                "verify, %s: inputs=%d, fine=%d, faults=%d%n", what, inputs, fine, faults);
        assertTrue(fine > 0 && fine < inputs);
    }

    /// Bytes that verification never looks at.
    private static BitSet bodies(byte[] input) {
        BitSet bodies = new BitSet(input.length);
        OracleFile oracle = OracleListing.list(input);
        for (OracleMessage each : oracle.messages()) {
            bodies.set((int) each.bodyOffset(), (int) (each.bodyOffset() + each.bodyLength()));
        }
        return bodies;
    }

    // ---- one input

    private void check(byte[] bytes) throws IOException {
        Verified verified = Verified.of(bytes);
        inputs++;
        faults += verified.findings().size();
        for (Fault each : verified.findings()) {
            assertTrue(each.position() >= 0 && each.position() <= bytes.length, each.toString());
            assertEquals(1, each.line().lines().count(), each.line());
        }
        if (verified.findings().stream().allMatch(each -> each.rule() == FileRule.NO_END_MARKER)) {
            fine++;
            readAll(bytes, verified);
        } else if (inputs % 16 == 0) {
            assertTrue(!Verified.of(bytes, Checks.STRICT).findings().isEmpty());
        }
    }

    /// Reads what `ls`, `schema` and `count` read, and what is in batches besides.
    private void readAll(byte[] bytes, Verified verified) throws IOException {
        InputBytes input = InputBytes.of(MemorySegment.ofArray(bytes));
        try {
            int messages = 0;
            Input messagesOf = Input.of(input);
            while (messagesOf.next()) {
                read(messagesOf.message);
                messages++;
            }
            messagesOf.throwIfDamaged();
            assertEquals(verified.check().report().messages(), messages);
            Input schemaOf = Input.of(input);
            Schema schema = schemaOf.schema();
            SchemaSize.check(schema, Limits.DEFAULT);
            SchemaText.write(schema, null, new PrintWriter(Writer.nullWriter()));
            try (JsonGenerator json = JsonOutput.generator(Writer.nullWriter())) {
                new IntegrationJson(json).write(schema, null);
            }
        } catch (RuntimeException e) {
            fail("called fine, and is not: " + e, e);
        }
    }

    private void read(Message message) {
        boolean hasBatch =
                message.header(dictionary) ? dictionary.data(batch) : message.header(batch);
        if (hasBatch) {
            assertTrue(batch.length() >= 0);
            batch.copyNodes(new long[2 * batch.nodesCount()], 0);
            batch.copyBuffers(new long[2 * batch.buffersCount()], 0);
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < message.customMetadataCount(); i++) {
            message.customMetadata(i, pair);
            texts.add(pair.keyString() + pair.valueString());
        }
        assertEquals(message.customMetadataCount(), texts.size());
    }
}
