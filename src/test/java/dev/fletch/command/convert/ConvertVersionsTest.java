// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.command.verify.Verified;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Messages of several metadata versions: V4 and V5 in one stream or file, with the buffers that
/// unions and run-end encoded fields have in each.
class ConvertVersionsTest {
    private static final String FOUND = "messages have several metadata versions";

    /// A stream in which some messages have V4.
    private static final class Mixed {
        private final byte[] stream;
        private final BatchLayout now;
        private final BatchLayout old;
        private final boolean isLegacy;

        Mixed(byte[] stream, boolean isLegacy) {
            this.stream = stream;
            this.isLegacy = isLegacy;
            Schema schema = new Schema();
            message(OracleListing.list(stream).messages().getFirst()).header(schema);
            now = BatchLayout.compile(schema, MetadataVersion.V5);
            old = BatchLayout.compile(schema, MetadataVersion.V4);
        }

        private static Message message(OracleMessage at) {
            return new Message().wrap(MemorySegment.ofArray(at.metadataBytes()));
        }

        byte[] with(Predicate<OracleMessage> isOld) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (OracleMessage each : OracleListing.list(stream).messages()) {
                byte[] metadata = isOld.test(each) ? older(each) : each.metadataBytes();
                byte[] padded = Frames.padded(metadata, Long.BYTES);
                out.writeBytes(isLegacy ? Frames.legacyFrame(padded) : Frames.frame(padded));
                int end = (int) each.endOffset();
                out.write(stream, end - (int) each.bodyLength(), (int) each.bodyLength());
            }
            out.writeBytes(isLegacy ? Frames.LEGACY_END : new byte[0]);
            return out.toByteArray();
        }

        private byte[] older(OracleMessage each) {
            Message message = message(each);
            byte[] metadata = each.isSchema() ? each.metadataBytes() : batch(message);
            new Message().wrap(MemorySegment.ofArray(metadata)).setVersion(MetadataVersion.V4);
            return metadata;
        }

        /// The batch with an empty validity buffer of each field that has none in V5.
        private byte[] batch(Message message) {
            RecordBatch batch = new RecordBatch();
            DictionaryBatch dictionary = new DictionaryBatch();
            boolean isDictionary = message.header(dictionary) && dictionary.data(batch);
            BatchLayout before = isDictionary ? old.dictionaryLayout(dictionary.id()) : old;
            BatchLayout after = isDictionary ? now.dictionaryLayout(dictionary.id()) : now;
            message.header(batch);
            BatchCursor cursor = new BatchCursor().bind(after, message);
            BodyLayout numbers = new BodyLayout();
            for (int field = 0; field < after.fieldCount(); field++) {
                boolean isAdded =
                        before.has(field, BufferRole.VALIDITY)
                                && !after.has(field, BufferRole.VALIDITY);
                long nulls = isAdded ? 0 : cursor.nullCount(field);
                numbers.addNode(cursor.length(field), nulls);
                if (isAdded) {
                    numbers.addPlaced(0, 0);
                }
                for (int i = 0; i < cursor.bufferCount(field); i++) {
                    numbers.addPlaced(cursor.bufferOffset(field, i), cursor.bufferLength(field, i));
                }
                if (after.has(field, BufferRole.VIEWS)) {
                    numbers.addVariadicCount(cursor.variadicCount(field));
                }
            }
            numbers.endAt(message.bodyLength());
            RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.ARROW_CPP);
            int length = template.write(message, batch, batch.length(), numbers, null);
            return template.message().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static Set<String> versions(byte[] written) {
        return OracleListing.list(written).messages().stream()
                .map(OracleMessage::version)
                .collect(Collectors.toSet());
    }

    private static Predicate<OracleMessage> firstBatch() {
        boolean[] wasFound = {false};
        return each -> {
            boolean isFirst = each.isRecordBatch() && !wasFound[0];
            wasFound[0] |= isFirst;
            return isFirst;
        };
    }

    /// Null for what arrow-java cannot read, such as decimals of 32 bits.
    private static ArrowVectorReading reading(byte[] stream) {
        try {
            return ArrowVectorReading.read(stream);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    @Test
    void mixedVersionsBecomeOne() throws IOException {
        int cases = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            ArrowVectorReading expected = reading(stream);
            for (boolean isLegacy : new boolean[] {false, true}) {
                for (int pattern = isLegacy ? 3 : 0; pattern < 4; pattern++) {
                    List<Predicate<OracleMessage>> patterns =
                            List.of(
                                    OracleMessage::isSchema,
                                    OracleMessage::isDictionaryBatch,
                                    message -> !message.isSchema(),
                                    firstBatch());
                    byte[] mixed = new Mixed(stream, isLegacy).with(patterns.get(pattern));
                    Set<String> before = versions(mixed);
                    for (ArrowContainer target : ArrowContainer.values()) {
                        if (target == ArrowContainer.FILE && !each.hasFile()) {
                            continue;
                        }
                        String what = each + ", " + pattern + ", " + target;
                        Converted converted = Converted.of(mixed, target, cases % 2 == 0);
                        assertEquals(1, versions(converted.bytes()).size(), what);
                        assertEquals(
                                before.size() > 1,
                                converted.report().notes().stream()
                                        .anyMatch(note -> note.startsWith(FOUND + "; all")),
                                what + converted.report().notes());
                        assertEquals(
                                Verified.of(
                                                Converted.of(stream, target, false).bytes(),
                                                Checks.STRICT)
                                        .brief(),
                                Verified.of(converted.bytes(), Checks.STRICT).brief(),
                                what);
                        if (expected != null && versions(converted.bytes()).contains("V5")) {
                            ArrowVectorReading found = ArrowVectorReading.read(converted.bytes());
                            assertEquals(expected.schema(), found.schema(), what);
                            assertEquals(expected.values(), found.values(), what);
                        }
                        cases++;
                    }
                }
            }
        }
        System.out.printf("mixed versions: %d conversions%n", cases);
    }
}
