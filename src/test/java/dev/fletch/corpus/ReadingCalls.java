// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.VerifiedChannel;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.verify.CheckReport;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Calls of the readers of frames, files and streams.
final class ReadingCalls {
    private static final String INT8 = "<int8:Int(bitWidth=8 is_signed=1)>";
    private static final String INT32 = "<int32:Int(bitWidth=32 is_signed=1)>";
    private static final String BATCH = " | batch 2 [2] [- i32(0 1 2) \"ab\"]";
    private static final String TEXTS = "<utf8:Utf8>" + BATCH;
    private static final String DELTA =
            "<utf8:Utf8{dictionary=DictionaryEncoding(id=5 indexType=Int(bitWidth=8 is_signed=1))}>"
                    + " | dictionary 5 2 [2] [- i32(0 1 2) \"ab\"]"
                    + " | delta 5 2 [2] [- i32(0 1 2) \"cd\"] | batch 2 [2] [- i8(0 3)]";
    private static final String SCHEMA_MESSAGE =
            "flatbuffer Message(version=4 header_type=1 header=<utf8:Utf8>)";
    private static final String BEHIND_ROOT = " => @root(0)+3 i8(112)";

    private ReadingCalls() {}

    static void addTo(CorpusCalls calls) {
        frames(calls);
        flatbuffers(calls);
        files(calls);
        unused(calls, "byte of a null", "stream " + INT8 + " | batch 2 [2/1] [i8(1) i8(1 2)]");
        unused(
                calls,
                "byte behind a buffer",
                "stream " + INT8 + " | batch 1 [1] [- i8(1)] => @-9 i8(1)");
        unused(
                calls,
                "byte behind the flatbuffer of a message",
                "stream padding 8 <utf8:Utf8> => @start(0)+126 i8(1)");
        unused(calls, "8 bytes before the first batch of a file", "file gap i64(1) " + TEXTS);
    }

    private static void frames(CorpusCalls calls) {
        ReadOptions little = ReadOptions.DEFAULT.with(Check.LITTLE_ENDIAN, true);
        calls.throwing(
                "EncapsulatedMessage.wrap | offset 0 of a file",
                () -> wrap("file " + TEXTS, ReadOptions.DEFAULT));
        calls.throwing(
                "MessageReader.next | limits.metadataBytes=8",
                () -> read(Limits.DEFAULT.withMetadataBytes(8)));
        calls.throwing(
                "MessageReader.next | limits.bodyBytes=8, body of 24 bytes",
                () -> read(Limits.DEFAULT.withBodyBytes(8)));
        calls.throwing(
                "EncapsulatedMessage.wrap | checks.LITTLE_ENDIAN, big-endian schema",
                () -> wrap("stream " + INT32 + "{endianness=1}", little));
    }

    private static void flatbuffers(CorpusCalls calls) {
        calls.throwing(
                "EncapsulatedMessage.wrap | schema message: root outside the flatbuffer",
                () -> wrap("stream " + TEXTS + BEHIND_ROOT, ReadOptions.DEFAULT));
        calls.throwing(
                "Message.wrap | root outside the flatbuffer",
                () -> new Message().wrap(memory(SCHEMA_MESSAGE + " => @3 i8(112)")));
        calls.add(
                "Verifier.verify | limits.metadataBytes=16",
                () -> verified(Limits.DEFAULT.withMetadataBytes(16)));
    }

    private static void files(CorpusCalls calls) {
        String batch = "<utf8:Utf8> | batch 1 [1] [- i32(0 8000) zeros(8000)]";
        calls.throwing(
                "ArrowFile.of | footer: root outside the flatbuffer",
                () -> ArrowFile.of(memory("file " + TEXTS + " => @root(footer)+3 i8(112)")));
        calls.throwing(
                "ArrowFile.of | footer without schema",
                () -> ArrowFile.of(memory("file " + TEXTS + " => @slot(footer.schema) i16(0)")));
        calls.throwing(
                "ArrowSchema.ofParquet | base64 of a stream with a batch",
                () -> ArrowSchema.ofParquet(base64("stream " + TEXTS)));
        calls.throwing(
                "Arrow.convert | flatbuffer of a schema",
                () -> convert("flatbuffer <utf8:Utf8>", ConvertOptions.DEFAULT));
        calls.throwing(
                "Arrow.convert | file with 20,000 blocks of one message of 8 kB",
                () -> convert(fileOfBlocks(20_000, batch), ConvertOptions.DEFAULT));
        calls.add(
                "Arrow.convert | options.salvage, stream with 16 bytes between its batches",
                ReadingCalls::salvaged);
        calls.throwing(
                "VerifiedChannel.open | UNTRUSTED, file with a delta",
                () -> channel("file " + DELTA, ReadOptions.UNTRUSTED));
        calls.add(
                "Arrow.verify | file with 100,002 blocks of one message",
                () ->
                        lastFinding(
                                fileOfBlocks(CheckReport.MAX_FAULTS + 2, TEXTS),
                                ReadOptions.VERIFY));
    }

    private static void unused(CorpusCalls calls, String options, String input) {
        ReadOptions values =
                ReadOptions.VERIFY
                        .withLevel(ReadOptions.Level.VALUES)
                        .with(Check.UNUSED_BYTES, true);
        calls.add(
                "Arrow.verify | values, checks.UNUSED_BYTES, " + options,
                () -> lastFinding(input, values));
    }

    // ---- inputs

    /// A file whose blocks all lead to one message.
    private static String fileOfBlocks(int blocks, String messages) {
        return "file blocks" + " 1".repeat(blocks) + " " + messages;
    }

    private static MemorySegment memory(String input) {
        return MemorySegment.ofArray(CaseFile.input(input));
    }

    private static String base64(String input) {
        return Base64.getEncoder().encodeToString(CaseFile.input(input));
    }

    // ---- calls

    private static void wrap(String input, ReadOptions options) {
        new EncapsulatedMessage(options).wrap(memory(input), 0, new Message());
    }

    private static void read(Limits limits) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(CaseFile.input("stream " + TEXTS));
        try (MessageReader reader = MessageReader.of(in, ReadOptions.DEFAULT.withLimits(limits))) {
            Message message = new Message();
            while (reader.next(message) == FrameKind.MESSAGE) {
                reader.skipBody();
            }
        }
    }

    private static Rule verified(Limits limits) {
        Verifier verifier = new Verifier(Checks.DEFAULT.withLimits(limits));
        boolean isSound = verifier.verify(Verifier.Root.MESSAGE, memory(SCHEMA_MESSAGE));
        return isSound ? null : verifier.fault().rule();
    }

    private static ConversionReport convert(String input, ConvertOptions options)
            throws IOException {
        var out = Channels.newChannel(new ByteArrayOutputStream());
        return Arrow.convert(memory(input), out, options);
    }

    private static Rule salvaged() throws IOException {
        String damaged = "stream " + TEXTS + BATCH + " => @start(2) insert \"no message here.\"";
        ConversionReport report = convert(damaged, ConvertOptions.DEFAULT.salvaging());
        return report.leftOut().getFirst().rule();
    }

    private static void channel(String input, ReadOptions options) throws IOException {
        Path file = Files.createTempFile("fletch-corpus-", ".arrow");
        try {
            VerifiedChannel.open(Files.write(file, CaseFile.input(input)), options).close();
        } finally {
            Files.delete(file);
        }
    }

    private static Rule lastFinding(String input, ReadOptions options) {
        List<Fault> findings = new ArrayList<>();
        Arrow.verify(memory(input), options, findings::add);
        return findings.getLast().rule();
    }
}
