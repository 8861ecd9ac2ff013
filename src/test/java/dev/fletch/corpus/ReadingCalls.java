// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.CorpusCalls.throwing;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.Endianness;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.scan.FileScan;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.messages.Meant;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.wire.MessagePrefix;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;

/// Calls of the readers of frames, files and streams.
final class ReadingCalls {
    private static final String DAMAGED = "root outside the flatbuffer";

    private ReadingCalls() {}

    static List<Call> all() {
        List<Call> calls = new ArrayList<>();
        calls.addAll(frames());
        calls.addAll(flatbuffers());
        calls.addAll(files());
        calls.addAll(unused());
        return calls;
    }

    private static List<Call> unused() {
        HandmadeInput behindNull =
                new HandmadeInput(schema(INT8))
                        .batch(new Batch(2).node(2, 1, bytes(1), bytes(1, 2)));
        HandmadeInput behindLast =
                new HandmadeInput(schema(INT8)).batch(new Batch(1).node(1, 0, NONE, bytes(1)));
        byte[] padded = behindLast.stream();
        int end = padded.length - MessagePrefix.BYTES;
        padded[end - 1] = 1;
        String options = "values, checks.UNUSED_BYTES, ";
        return List.of(
                new Call(
                        ValueRule.UNUSED_VALUES,
                        "Arrow.verify",
                        options + "byte of a null",
                        () -> unused(behindNull.stream())),
                new Call(
                        ValueRule.UNUSED_PADDING,
                        "Arrow.verify",
                        options + "byte behind a buffer",
                        () -> unused(padded)),
                new Call(
                        StructureRule.UNUSED_METADATA,
                        "Arrow.verify",
                        options + "byte behind the flatbuffer of a message",
                        () -> unused(longerMetadata())),
                new Call(
                        FileRule.UNUSED_GAP,
                        "Arrow.verify",
                        options + "8 bytes before the first batch of a file",
                        () -> unused(texts().gap(new byte[] {1, 0, 0, 0, 0, 0, 0, 0}).file())));
    }

    private static byte[] longerMetadata() throws IOException {
        byte[] metadata = schemaMessage();
        byte[] longer = Arrays.copyOf(metadata, metadata.length + Long.BYTES);
        longer[metadata.length] = 1;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out);
        writer.write(memory(longer));
        writer.finish();
        return out.toByteArray();
    }

    /// The last rule that a verification of values and unused bytes finds.
    private static Rule unused(byte[] stream) throws IOException {
        List<Rule> found = new ArrayList<>();
        ReadOptions options =
                ReadOptions.VERIFY
                        .withLevel(ReadOptions.Level.VALUES)
                        .with(Check.UNUSED_BYTES, true);
        Arrow.verify(MemorySegment.ofArray(stream), options, fault -> found.add(fault.rule()));
        return found.getLast();
    }

    private static List<Call> frames() {
        return List.of(
                throwing(
                        FileRule.FILE_AS_STREAM,
                        "EncapsulatedMessage.wrap",
                        "offset 0 of a file",
                        () -> wrap(texts().file(), ReadOptions.DEFAULT)),
                throwing(
                        FrameRule.METADATA_OVER_LIMIT,
                        "MessageReader.next",
                        "limits.metadataBytes=8",
                        () -> read(Limits.DEFAULT.withMetadataBytes(8))),
                throwing(
                        FrameRule.BODY_OVER_LIMIT,
                        "MessageReader.next",
                        "limits.bodyBytes=8, body of 24 bytes",
                        () -> read(Limits.DEFAULT.withBodyBytes(8))),
                throwing(
                        MeaningRule.FOREIGN_ENDIANNESS,
                        "EncapsulatedMessage.wrap",
                        "checks.LITTLE_ENDIAN, big-endian schema",
                        () ->
                                wrap(
                                        bigEndian(),
                                        ReadOptions.DEFAULT.with(Check.LITTLE_ENDIAN, true))));
    }

    private static List<Call> flatbuffers() {
        return List.of(
                throwing(
                        StructureRule.OFFSET_TARGET_OUT_OF_RANGE,
                        "EncapsulatedMessage.wrap",
                        "schema message: " + DAMAGED,
                        () -> wrap(damaged().stream(), ReadOptions.DEFAULT)),
                throwing(
                        StructureRule.MALFORMED,
                        "Message.wrap",
                        DAMAGED,
                        () -> new Message().wrap(memory(withoutRoot(schemaMessage())))),
                new Call(
                        MeaningRule.HEADER_KIND,
                        "SemanticVerifier.message",
                        "record batch message before any schema message",
                        ReadingCalls::withoutSchema),
                new Call(
                        StructureRule.BUFFER_TOO_LARGE,
                        "Verifier.verify",
                        "limits.metadataBytes=16",
                        () -> verified(Limits.DEFAULT.withMetadataBytes(16))));
    }

    private static List<Call> files() {
        return List.of(
                throwing(
                        StructureRule.OFFSET_TARGET_OUT_OF_RANGE,
                        "ArrowFile.of",
                        "footer: " + DAMAGED,
                        () -> ArrowFile.of(memory(damaged().file()))),
                throwing(
                        FileRule.BYTES_BEHIND_SCHEMA,
                        "ArrowSchema.ofParquet",
                        "base64 of a stream with a batch",
                        () -> ArrowSchema.ofParquet(base64(texts().stream()))),
                throwing(
                        FileRule.NOT_CONVERTIBLE,
                        "Arrow.convert",
                        "flatbuffer of a schema",
                        () -> convert(Meant.bytes(schema(UTF8)))),
                throwing(
                        FileRule.BLOCKS_REPEATED,
                        "Arrow.convert",
                        "file with 20,000 blocks of one message of 8 kB",
                        () -> convert(longBatch().file(new int[20_000]))),
                new Call(
                        FrameRule.STRAY_BYTES,
                        "Arrow.convert",
                        "options.salvage, stream with 16 bytes between its batches",
                        ReadingCalls::salvaged),
                new Call(
                        FileRule.SUM_TOO_LARGE,
                        "FileScan.of",
                        "two batches of 2^63 - 1 rows without columns",
                        ReadingCalls::scanned),
                new Call(
                        FileRule.MORE_FAULTS,
                        "Arrow.verify",
                        "file with 100,002 blocks of one message",
                        ReadingCalls::lastFinding));
    }

    // ---- inputs

    private static HandmadeInput texts() {
        return new HandmadeInput(schema(UTF8)).batch(textBatch());
    }

    /// The same with damage in its schema message and footer.
    private static HandmadeInput damaged() {
        UnaryOperator<byte[]> damage = ReadingCalls::withoutRoot;
        return texts().edit(damage, damage);
    }

    private static byte[] withoutRoot(byte[] flatbuffer) {
        flatbuffer[3] = 0x70;
        return flatbuffer;
    }

    private static byte[] schemaMessage() {
        return Meant.bytes(Meant.message(schema(UTF8), 0));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bigEndian() {
        return new HandmadeInput(with(schema(INT32), "endianness", Endianness.BIG)).stream();
    }

    private static MemorySegment memory(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    // ---- calls

    private static void wrap(byte[] input, ReadOptions options) {
        new EncapsulatedMessage(options).wrap(memory(input), 0, new Message());
    }

    private static void read(Limits limits) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(texts().stream());
        try (MessageReader reader = MessageReader.of(in, ReadOptions.DEFAULT.withLimits(limits))) {
            Message message = new Message();
            while (reader.next(message) == FrameKind.MESSAGE) {
                reader.skipBody();
            }
        }
    }

    private static Rule verified(Limits limits) {
        Verifier verifier = new Verifier(Checks.DEFAULT.withLimits(limits));
        boolean isSound = verifier.verify(Verifier.Root.MESSAGE, memory(schemaMessage()));
        return isSound ? null : verifier.fault().rule();
    }

    private static Rule withoutSchema() {
        byte[] message = Meant.bytes(Meant.message(new Batch(0).table(), 0));
        SemanticVerifier verifier = new SemanticVerifier();
        return verifier.message(Meant.bound(message)) ? null : verifier.fault().rule();
    }

    private static Batch textBatch() {
        return new Batch(2).node(2, 0, new byte[0], ints(0, 1, 2), text("ab"));
    }

    private static HandmadeInput longBatch() {
        Batch batch = new Batch(1).node(1, 0, new byte[0], ints(0, 8_000), new byte[8_000]);
        return new HandmadeInput(schema(UTF8)).batch(batch);
    }

    private static void convert(byte[] input) throws IOException {
        Arrow.convert(
                memory(input),
                Channels.newChannel(new ByteArrayOutputStream()),
                ConvertOptions.DEFAULT);
    }

    private static Rule salvaged() throws IOException {
        byte[] stream = texts().batch(textBatch()).stream();
        int first = texts().marker().stream().length;
        ByteArrayOutputStream damaged = new ByteArrayOutputStream();
        damaged.write(stream, 0, first);
        damaged.writeBytes("no message here.".getBytes(StandardCharsets.US_ASCII));
        damaged.write(stream, first, stream.length - first);
        ConversionReport report =
                Arrow.convert(
                        memory(damaged.toByteArray()),
                        Channels.newChannel(new ByteArrayOutputStream()),
                        ConvertOptions.DEFAULT.salvaging());
        return report.leftOut().getFirst().rule();
    }

    private static Rule scanned() throws IOException {
        Batch batch = new Batch(Long.MAX_VALUE);
        Path file = Files.createTempFile("rows", ".arrows");
        try {
            Files.write(file, new HandmadeInput(schema()).batch(batch).batch(batch).stream());
            String code = new FileScan().of(file.toString()).fault().code();
            return code.equals(FileRule.SUM_TOO_LARGE.id()) ? FileRule.SUM_TOO_LARGE : null;
        } finally {
            Files.delete(file);
        }
    }

    private static Rule lastFinding() {
        byte[] file = texts().file(new int[CheckReport.MAX_FAULTS + 2]);
        List<Fault> findings = new ArrayList<>();
        Arrow.verify(memory(file), ReadOptions.VERIFY, findings::add);
        return findings.getLast().rule();
    }
}
