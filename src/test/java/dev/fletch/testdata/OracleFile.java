// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Schema;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// What [OracleListing] found in the bytes of a file or a stream.
///
/// @param container file or stream
/// @param messages in the order in which they stand, whatever a footer says
/// @param end how the messages end
/// @param endOffset position of the end-of-stream mark, or of the input's end
/// @param footer `null` in a stream
public record OracleFile(
        Container container,
        List<OracleMessage> messages,
        EndOfStream end,
        long endOffset,
        OracleFooter footer) {

    /// The two forms.
    public enum Container {
        FILE,
        STREAM;

        /// The name that `ls --json` prints.
        public String title() {
            return this == FILE ? "file" : "stream";
        }
    }

    /// What stands behind the last message.
    public enum EndOfStream {
        /// Continuation word and size 0.
        CONTINUATION(8),
        /// Size 0 alone.
        LEGACY(4),
        /// Nothing: the input ends, or in a file the footer begins.
        INPUT(0);

        private final int lengthBytes;

        EndOfStream(int lengthBytes) {
            this.lengthBytes = lengthBytes;
        }

        /// Bytes that the mark takes.
        public int lengthBytes() {
            return lengthBytes;
        }
    }

    /// A message's place as the footer tells it.
    ///
    /// @param metadataLength with the prefix, unlike that of [OracleMessage]
    public record OracleBlock(long offset, int metadataLength, long bodyLength) {
        static OracleBlock of(Block block) {
            return new OracleBlock(block.offset(), block.metaDataLength(), block.bodyLength());
        }

        /// What the footer has to say of this message.
        public static OracleBlock of(OracleMessage message) {
            return new OracleBlock(
                    message.offset(),
                    message.prefixLength() + message.metadataLength(),
                    message.bodyLength());
        }
    }

    /// A file's footer.
    ///
    /// @param offset position of its first byte in the file
    /// @param length in bytes, as the word behind it says
    /// @param bytes the flatbuffer
    public record OracleFooter(long offset, int length, ByteBuffer bytes) {
        /// A buffer of its own for each caller, at the flatbuffer's first byte; read-only.
        @Override
        public ByteBuffer bytes() {
            return OracleMessage.fresh(bytes);
        }

        /// The footer as the generated classes see it; a new object each time.
        public Footer footer() {
            return Footer.getRootAsFooter(bytes());
        }

        /// The dictionary batches' places, in the footer's order.
        public List<OracleBlock> dictionaryBlocks() {
            Footer footer = footer();
            return IntStream.range(0, footer.dictionariesLength())
                    .mapToObj(i -> OracleBlock.of(footer.dictionaries(i)))
                    .toList();
        }

        /// The record batches' places, in the footer's order.
        public List<OracleBlock> recordBlocks() {
            Footer footer = footer();
            return IntStream.range(0, footer.recordBatchesLength())
                    .mapToObj(i -> OracleBlock.of(footer.recordBatches(i)))
                    .toList();
        }
    }

    public OracleFile {
        messages = List.copyOf(messages);
    }

    /// The first message's schema, or a file's footer's where there are no messages.
    public Schema schema() {
        for (OracleMessage each : messages) {
            if (each.isSchema()) {
                return each.schema();
            }
        }
        if (footer == null) {
            throw new IllegalStateException("no schema: messages=" + messages.size());
        }
        return footer.footer().schema();
    }

    /// The record batches, in the order of the messages.
    public List<OracleMessage> recordBatches() {
        return only(OracleMessage::isRecordBatch);
    }

    /// The dictionary batches, in the order of the messages.
    public List<OracleMessage> dictionaryBatches() {
        return only(OracleMessage::isDictionaryBatch);
    }

    /// A flatbuffer of the input, with the padding of its frame.
    ///
    /// @param kind of a message's header, such as `RecordBatch`, or [#FOOTER]
    /// @param offset position of its first byte
    public record Flatbuffer(String kind, long offset, byte[] bytes) {
        public static final String FOOTER = "Footer";

        public boolean isFooter() {
            return kind.equals(FOOTER);
        }
    }

    /// The messages' flatbuffers, and a file's footer behind them.
    public List<Flatbuffer> flatbuffers() {
        List<Flatbuffer> all = new ArrayList<>();
        for (OracleMessage each : messages) {
            all.add(new Flatbuffer(each.kind(), each.metadataOffset(), each.metadataBytes()));
        }
        if (footer != null) {
            byte[] bytes = OracleMessage.bytes(footer.bytes());
            all.add(new Flatbuffer(Flatbuffer.FOOTER, footer.offset(), bytes));
        }
        return all;
    }

    /// Rows of all record batches, at most 2^63 - 1; those of dictionaries are not counted.
    public long rows() {
        return recordBatches().stream()
                .mapToLong(OracleMessage::rows)
                .reduce(0, (a, b) -> a + Math.min(b, Long.MAX_VALUE - a));
    }

    private List<OracleMessage> only(Predicate<OracleMessage> wanted) {
        return messages.stream().filter(wanted).toList();
    }
}
