// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Messages and footers that are nearly, or exactly, what a set knows: the verdict is that of a
/// reader without the set, and what is told of the schema is true.
class KnownSchemaMutantsTest {
    private static final List<Checks> RULES =
            List.of(
                    Checks.ARROW_CPP,
                    Checks.STRICT,
                    Checks.ARROW_CPP.with(Check.ALIGNMENT, false),
                    Checks.ARROW_CPP
                            .with(Check.VECTOR_ALIGNMENT, true)
                            .with(Check.EMPTY_VECTOR_ALIGNMENT, true),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withTables(40)),
                    Checks.ARROW_CPP.withLimits(Checks.ARROW_CPP.limits().withDepth(4)),
                    Checks.ARROW_CPP.withLimits(
                            Checks.ARROW_CPP.limits().withMetadataBytes(1_400)));

    private final Random random = new Random(17);
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final Schema kept = new Schema();
    private int recognized;
    private int accepted;

    // ---- inputs

    private static List<byte[]> messages() {
        List<byte[]> all = new ArrayList<>();
        all.add(KnownInputs.message(KnownInputs.schema("a", 3, "key", "value")));
        all.add(KnownInputs.message(KnownInputs.schema("a", 3, "key", "other")));
        all.add(WrittenMessages.schemaWithPair("of the", "message"));
        all.add(LargeSchemas.schemaMessage(10));
        for (int i = 0; i < 6; i++) {
            all.add(KnownInputs.message(RandomSchemas.schema(i)));
        }
        return all;
    }

    private static List<byte[]> footers() {
        List<byte[]> all = new ArrayList<>();
        for (EmissionOrder order : EmissionOrder.values()) {
            String[] pairs = {"of the", "file", "b", "c"};
            all.add(KnownInputs.footer(KnownInputs.schema("a", 3, "key", "value"), order, 2));
            all.add(KnownInputs.footer(KnownInputs.schema("b", 10), order, 3, pairs));
            all.add(KnownInputs.footer(RandomSchemas.schema(1), order, 1, pairs));
        }
        all.add(around(subtree(KnownInputs.footer(RandomSchemas.schema(2), 0)), 0, 1));
        return all;
    }

    /// The schema of a footer, cut out: an offset to its table, and what is below it.
    private static byte[] subtree(byte[] footer) {
        byte[] copy = new byte[AcceptedSchema.START + footer.length];
        System.arraycopy(footer, 0, copy, AcceptedSchema.START, footer.length);
        Schema schema = new Schema();
        new Footer().wrap(MemorySegment.ofArray(footer)).schema(schema);
        int table = (int) schema.position() + AcceptedSchema.START;
        return new AcceptedSchema(Checks.STRICT, copy, table, 0, 0).bytes;
    }

    /// A footer of nothing but a schema, which begins behind a gap.
    private static byte[] around(byte[] subtree, int gap, int version) {
        int table = ByteBuffer.wrap(subtree).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 + gap + subtree.length - AcceptedSchema.START)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(12);
        bytes.putShort((short) 8).putShort((short) 12).putShort((short) 8).putShort((short) 4);
        bytes.putInt(8); // the footer's table
        bytes.putInt(24 + gap + table - AcceptedSchema.START - bytes.position());
        bytes.putShort((short) version);
        bytes.position(24 + gap);
        bytes.put(subtree, AcceptedSchema.START, subtree.length - AcceptedSchema.START);
        return bytes.array();
    }

    private byte[] mutant(byte[] of, List<byte[]> others) {
        byte[] bytes = of.clone();
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = random.nextInt(bytes.length - 8);
        switch (random.nextInt(12)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt();
            case 3 -> words.putInt(at & -4, random.nextInt(bytes.length));
            case 4 -> words.putInt(at & -4, words.getInt(at & -4) + random.nextInt(17) - 8);
            case 5 -> words.putShort(at & -2, (short) random.nextInt(40));
            case 6 -> {
                // A word of the head, where the offsets to the schema and the vectors are.
                int head = random.nextInt(Math.min(24, bytes.length / 4)) * 4;
                words.putInt(head, words.getInt(head) + random.nextInt(9) * 4 - 16);
            }
            case 7 -> {
                int head = random.nextInt(Math.min(24, bytes.length / 4)) * 4;
                words.putInt(head, random.nextInt(bytes.length) - (random.nextBoolean() ? 0 : 600));
            }
            case 8 -> bytes = Arrays.copyOf(bytes, bytes.length - random.nextInt(16));
            case 9 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(16));
            case 10 -> {
                byte[] other = others.get(random.nextInt(others.size()));
                int length = random.nextInt(Math.min(other.length, bytes.length) - at % 64);
                System.arraycopy(other, 0, bytes, 0, length);
            }
            default -> {} // the same
        }
        return bytes;
    }

    // ---- one case

    private boolean isMessage(MetadataChecks checks, MemorySegment memory) {
        try {
            return checks.message(memory, 0, memory.byteSize(), message);
        } catch (FletchException e) {
            return true; // it was not verified
        }
    }

    private boolean hasKnownSchema(MetadataChecks checks, MemorySegment memory) {
        try {
            return checks.footerSchema(footer.wrap(memory), 0) != null;
        } catch (FletchException e) {
            return false; // only if it was not verified
        }
    }

    private static String verdict(MetadataChecks checks, boolean right) {
        return right ? "right" : checks.fault().toString();
    }

    private void message(
            MetadataChecks with, MetadataChecks without, MemorySegment in, long at, long n) {
        boolean right = with.message(in, at, n, message);
        boolean expected = without.message(in, at, n, new Message());
        assertEquals(verdict(without, expected), verdict(with, right));
        if (right && message.wrap(in, at, n).header(schema)) {
            long before = with.schemasRecognized;
            KnownSchema known = with.schema(message, 0);
            accepted(with.schemasRecognized - before, known);
        }
    }

    private void footer(
            MetadataChecks with, MetadataChecks without, MemorySegment in, long at, long n) {
        boolean right = with.footer(in, at, n);
        boolean expected = without.footer(in, at, n);
        assertEquals(verdict(without, expected), verdict(with, right));
        if (right && footer.wrap(in, at, n).schema(schema)) {
            long before = with.schemasRecognized;
            KnownSchema known = with.footerSchema(footer, 0);
            footer.schema(schema);
            accepted(with.schemasRecognized - before, known);
        }
    }

    /// What is told of the schema must be true.
    private void accepted(long more, KnownSchema known) {
        accepted++;
        recognized += (int) more;
        if (known == null) {
            assertEquals(0, more);
            return;
        }
        known.schema(kept);
        assertEquals(values(kept), values(schema));
        assertEquals(model(null, schema), model(known, schema));
    }

    private static String values(Schema of) {
        try {
            return ArrowSchema.of(of).toString() + of.endianness();
        } catch (RuntimeException e) {
            return e.getClass() + e.getMessage().replaceAll("offset=[0-9]+", "");
        }
    }

    private static String model(KnownSchema known, Schema of) {
        try {
            return ArrowSchema.of(known, of, Limits.DEFAULT).toString();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static MetadataChecks checks(Checks rules, KnownSchemas known) {
        return new MetadataChecks(
                ReadOptions.DEFAULT
                        .withChecks(rules.enabled())
                        .withLimits(rules.limits())
                        .withKnownSchemas(known));
    }

    // ---- campaigns

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mutantsGetTheVerdictOfAReaderWithoutASet(boolean areFooters) {
        List<byte[]> all = areFooters ? footers() : messages();
        for (Checks rules : RULES) {
            MetadataChecks with = checks(rules, new KnownSchemas());
            MetadataChecks without = checks(rules, null);
            int cases = CaseCount.of(1_000, 60_000);
            for (int i = 0; i < cases; i++) {
                byte[] base = all.get(random.nextInt(all.size()));
                byte[] bytes = i < 4 * all.size() ? all.get(i % all.size()) : mutant(base, all);
                int at = random.nextInt(9);
                byte[] placed = new byte[at + bytes.length + random.nextInt(3)];
                System.arraycopy(bytes, 0, placed, at, bytes.length);
                MemorySegment memory = MemorySegment.ofArray(placed);
                if (areFooters) {
                    footer(with, without, memory, at, bytes.length);
                } else {
                    message(with, without, memory, at, bytes.length);
                }
            }
        }
        report(areFooters ? "footers" : "messages");
    }

    /// Known bytes at every position modulo 8, under rules that look at alignment and that don't.
    @Test
    void knownSchemasAreVerifiedAtEveryAlignment() {
        int cases = 0;
        for (Checks rules : RULES) {
            for (int i = 0; i < CaseCount.of(30, 600); i++) {
                byte[] subtree = subtree(KnownInputs.footer(RandomSchemas.schema(i), 0));
                KnownSchemas known = new KnownSchemas();
                MetadataChecks with = checks(rules, known);
                MetadataChecks without = checks(rules, null);
                for (int gap = 0; gap < 32; gap++) {
                    byte[] bytes = around(subtree, gap % 16, gap);
                    footer(with, without, MemorySegment.ofArray(bytes), 0, bytes.length);
                    cases++;
                }
            }
        }
        report("positions, " + cases + " cases");
    }

    @Test
    void readersThatVerifyLessGetTheSameVerdict() {
        List<byte[]> footers = footers();
        List<byte[]> messages = messages();
        KnownSchemas known = new KnownSchemas();
        MetadataChecks full = checks(Checks.DEFAULT, known);
        MetadataChecks plain = checks(Checks.DEFAULT, null);
        for (int i = 0; i < 4; i++) {
            for (byte[] each : footers) {
                footer(full, plain, MemorySegment.ofArray(each), 0, each.length);
            }
            for (byte[] each : messages) {
                message(full, plain, MemorySegment.ofArray(each), 0, each.length);
            }
        }
        int size = known.size();
        ReadOptions options = ReadOptions.DEFAULT.withLevel(Level.TOUCHED);
        MetadataChecks with = new MetadataChecks(options.withKnownSchemas(known));
        MetadataChecks without = new MetadataChecks(options);
        for (int i = 0; i < CaseCount.of(1_000, 60_000); i++) {
            byte[] bytes = mutant(footers.get(random.nextInt(footers.size())), footers);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            boolean expected = without.footer(memory, 0, bytes.length);
            assertEquals(
                    verdict(without, expected),
                    verdict(with, with.footer(memory, 0, bytes.length)));
            recognized += expected && hasKnownSchema(with, memory) ? 1 : 0;
            bytes = mutant(messages.get(random.nextInt(messages.size())), messages);
            memory = MemorySegment.ofArray(bytes);
            expected = isMessage(without, memory);
            assertEquals(verdict(without, expected), verdict(with, isMessage(with, memory)));
        }
        assertEquals(size, known.size());
        report("TOUCHED");
    }

    /// The same in each kind of memory, through what users call.
    @Test
    void everyKindOfMemoryGetsTheSameResult() {
        List<byte[]> messages = messages();
        KnownSchemas known = new KnownSchemas();
        ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(known);
        EncapsulatedMessage with = new EncapsulatedMessage(options);
        EncapsulatedMessage without = new EncapsulatedMessage();
        int cases = 0;
        for (int i = 0; i < CaseCount.of(60, 1_200); i++) {
            byte[] base = messages.get(i % messages.size());
            byte[] framed = Frames.frame(i < 40 || i % 3 == 0 ? base : mutant(base, messages));
            for (Memories.Backing backing : Memories.all()) {
                if (backing.name().contains("GiB")) {
                    continue;
                }
                try (var placed = backing.place(framed)) {
                    String expected = outcome(without, placed);
                    assertEquals(expected, outcome(with, placed), backing.name());
                    cases++;
                }
            }
        }
        assertTrue(with.checks.schemasRecognized > cases / 4, "" + with.checks.schemasRecognized);
        CaseCount.report(
                "Known schemas, kinds of memory: %d cases, %d recognized, %d parsed",
                cases, with.checks.schemasRecognized, with.checks.schemasParsed);
    }

    private String outcome(EncapsulatedMessage frame, Placed placed) {
        try {
            FrameKind kind =
                    placed instanceof PlacedSegment(var segment, long offset, long length, _)
                            ? frame.wrap(segment, offset, offset + length, message)
                            : frame.wrap(((PlacedBuffer) placed).buffer(), message);
            return kind != FrameKind.MESSAGE || !message.header(schema)
                    ? kind.toString()
                    : message.version() + " " + values(schema);
        } catch (FletchException e) {
            return e.getMessage();
        }
    }

    /// What is kept of a footer is a buffer of its own, that verifies: nothing leads out of it.
    @Test
    void theKeptSchemaVerifiesByItself() {
        Verifier verifier = new Verifier(Checks.STRICT.with(Check.ALIGNMENT, false));
        for (int i = 0; i < CaseCount.of(500, 5_000); i++) {
            ArrowSchema model = RandomSchemas.schema(i);
            byte[] kept = subtree(KnownInputs.footer(model, i % 3));
            MemorySegment memory = MemorySegment.ofArray(kept);
            assertTrue(
                    new Verifier(Checks.ARROW_CPP.with(Check.ALIGNMENT, false))
                            .verify(Verifier.Root.SCHEMA, memory));
            assertEquals(model, ArrowSchema.of(schema.wrap(memory)));
            // Not a byte more than is needed: without the last one, it does not verify.
            assertTrue(!verifier.verify(Verifier.Root.SCHEMA, memory.asSlice(0, kept.length - 1)));
        }
    }

    private void report(String what) {
        assertTrue(recognized > 100, "recognized=" + recognized);
        CaseCount.report(
                "Known schemas, %s: %d recognized, %d accepted", what, recognized, accepted);
    }
}
