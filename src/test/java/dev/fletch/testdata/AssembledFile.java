// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.ipc.Frames;

import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// A file of sound messages, put together as usual writers do not: with any head, any gaps, and a
/// footer that lists any blocks. The footer is arrow-java's.
public final class AssembledFile {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Schema schema;
    private List<ArrowBlock> dictionaries = new ArrayList<>();
    private List<ArrowBlock> records = new ArrayList<>();

    /// @param headLength bytes before the first message: the magic and zeros
    /// @param sound a file or stream whose schema the footer gets
    public AssembledFile(int headLength, byte[] sound) {
        bytes.writeBytes(Arrays.copyOf(Frames.MAGIC, headLength));
        schema = Schema.convertSchema(OracleListing.list(sound).schema());
    }

    /// All messages of a file or stream, behind a head.
    public static AssembledFile of(int headLength, byte[] sound) {
        AssembledFile file = new AssembledFile(headLength, sound);
        OracleListing.list(sound).messages().forEach(each -> file.add(sound, each));
        return file;
    }

    /// Appends a message, and its block.
    public AssembledFile add(byte[] from, OracleMessage message) {
        ArrowBlock block =
                new ArrowBlock(
                        bytes.size(),
                        message.prefixLength() + message.metadataLength(),
                        message.bodyLength());
        if (message.isDictionaryBatch()) {
            dictionaries.add(block);
        } else if (message.isRecordBatch()) {
            records.add(block);
        }
        return addBytes(bytes(from, message));
    }

    /// Appends bytes without a block.
    public AssembledFile addBytes(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    /// The bytes of a message with its prefix and body.
    public static byte[] bytes(byte[] from, OracleMessage message) {
        return Arrays.copyOfRange(from, (int) message.offset(), (int) message.endOffset());
    }

    /// The dictionary batches' blocks, as they are in the footer.
    public List<ArrowBlock> dictionaries() {
        return dictionaries;
    }

    /// The record batches' blocks, as they are in the footer.
    public List<ArrowBlock> records() {
        return records;
    }

    /// Replaces the blocks of the footer.
    public AssembledFile blocks(List<ArrowBlock> ofDictionaries, List<ArrowBlock> ofRecords) {
        dictionaries = new ArrayList<>(ofDictionaries);
        records = new ArrayList<>(ofRecords);
        return this;
    }

    /// The messages with an end-of-stream marker, and no footer.
    public byte[] withoutFooter() {
        return Frames.join(bytes.toByteArray(), Frames.END);
    }

    public byte[] file() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        builder.finish(new ArrowFooter(schema, dictionaries, records).writeTo(builder));
        byte[] footer = builder.sizedByteArray();
        return Frames.join(withoutFooter(), footer, Frames.words(footer.length), Frames.MAGIC);
    }

    // ---- wrong blocks

    /// How all blocks of a footer are wrong.
    public enum WrongBlocks {
        ZERO,
        SHIFTED,
        SWAPPED_LENGTHS,
        RANDOM;

        /// Every block of a list, made wrong.
        List<ArrowBlock> of(List<ArrowBlock> sound, SplittableRandom random) {
            return sound.stream().map(each -> of(each, random)).toList();
        }

        private ArrowBlock of(ArrowBlock sound, SplittableRandom random) {
            long at = sound.getOffset();
            int metadata = sound.getMetadataLength();
            long body = sound.getBodyLength();
            return switch (this) {
                case ZERO -> new ArrowBlock(0, metadata, body);
                case SHIFTED -> new ArrowBlock(at + 8 * random.nextInt(1, 4), metadata, body);
                case SWAPPED_LENGTHS -> new ArrowBlock(at, (int) body, metadata);
                case RANDOM ->
                        new ArrowBlock(random.nextLong(), random.nextInt(), random.nextLong());
            };
        }
    }

    /// Makes all blocks wrong.
    public AssembledFile wrong(WrongBlocks how, SplittableRandom random) {
        return blocks(how.of(dictionaries, random), how.of(records, random));
    }
}
