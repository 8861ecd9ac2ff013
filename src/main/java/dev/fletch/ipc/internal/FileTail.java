// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FileRule;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// The end of a file: footer, footer length and magic. Has the rules of the magic at both ends and
/// of the footer's length. `end` are the file's last bytes, at least [#BYTES].
///
/// Source: Columnar format, "IPC File Format".
public final class FileTail {
    /// Bytes after the footer: footer length and magic.
    public static final int BYTES = Integer.BYTES + FileHead.MAGIC_BYTES;

    /// Bytes of the shortest file.
    public static final int LEAST_FILE_BYTES = FileHead.USUAL_BYTES + BYTES + 1;

    private FileTail() {}

    /// Whether bytes are long enough for a file, and end with the magic.
    public static boolean isFile(MemorySegment memory) {
        long size = memory.byteSize();
        return size >= LEAST_FILE_BYTES && FileHead.hasMagic(memory, size - FileHead.MAGIC_BYTES);
    }

    /// Checks the leading magic, if the memory has all bytes of the file.
    public static boolean leadingMagic(MemorySegment end, long size, FaultSink sink) {
        if (end.byteSize() != size || size < FileHead.USUAL_BYTES || FileHead.hasMagic(end, 0)) {
            return true;
        }
        long position = otherBytes(end);
        String found = position == 0 ? "" : ", fileOffset=" + position;
        return sink.broken(
                Fault.of(FileRule.NO_LEADING_MAGIC, 0, size).because("size=" + size + found));
    }

    /// {@return number of other bytes in front of a file} Then no block leads to its message.
    public static long otherBytes(MemorySegment file) {
        long position = FileHead.hasMagic(file, 0) ? 0 : LeadingBytes.count(file);
        return position > 0 && FileHead.hasMagic(file, position) ? position : 0;
    }

    /// Checks the end of a file: that it is long enough for both magics and a footer, the trailing
    /// magic, and that the footer's length fits.
    ///
    /// @return length of the footer in bytes; -1 if it is not known
    public static int footerLength(MemorySegment end, long size, FaultSink sink) {
        if (size < LEAST_FILE_BYTES) {
            String details = "size=" + size + ", least=" + LEAST_FILE_BYTES;
            sink.accept(Fault.of(FileRule.FILE_TOO_SHORT, size, size).because(details));
            return -1;
        }
        if (!FileHead.hasMagic(end, end.byteSize() - FileHead.MAGIC_BYTES)) {
            long position = size - FileHead.MAGIC_BYTES;
            sink.accept(
                    Fault.of(FileRule.NO_TRAILING_MAGIC, position, size).because("size=" + size));
            return -1;
        }
        int length = footerLength(end);
        if (!fits(length, size)) {
            long offset = size - BYTES;
            String limit = ", limit=" + (offset - FileHead.USUAL_BYTES);
            String details = "footerLength=" + length + limit;
            sink.accept(Fault.of(FileRule.FOOTER_LENGTH, offset, length).because(details));
            return -1;
        }
        return length;
    }

    /// The footer's length, which may be any number.
    public static int footerLength(MemorySegment end) {
        return Wire.int32(end, end.byteSize() - BYTES);
    }

    /// Offset in the file of a footer, by its length.
    public static long footerOffset(long size, int length) {
        return size - BYTES - length;
    }

    /// Opens the batches of a file.
    public interface Opener<E extends Exception> {
        /// @param kind [MessageHeader#RECORD_BATCH] or [MessageHeader#DICTIONARY_BATCH]
        /// @param index from 0, in the footer's order
        Message open(int kind, int index) throws E;
    }

    /// The metadata version of a file's schema: that of its first record batch, or else of its
    /// first dictionary batch, because old writers omit the footer's. V5 if there are no batches.
    public static <E extends Exception> int version(Footer footer, Opener<E> batches) throws E {
        boolean hasBatches = footer.recordBatchesCount() > 0;
        if (!hasBatches && footer.dictionariesCount() == 0) {
            return MetadataVersion.V5;
        }
        int kind = hasBatches ? MessageHeader.RECORD_BATCH : MessageHeader.DICTIONARY_BATCH;
        return batches.open(kind, 0).version();
    }

    /// Binds to a footer's schema, after checking the version, unless that is absent. This decides,
    /// with the structure, whether a footer is used: else the messages are read as a stream.
    ///
    /// @param shift offset in the file of the memory that holds the footer
    /// @return whether the footer can be used
    public static boolean schema(Footer footer, long shift, Schema into, FaultSink sink) {
        if (VersionCheck.isStated(footer)
                && !FrameCheck.version(
                        footer.position(Footer.VERSION_SLOT) + shift, footer.version(), sink)) {
            return false;
        }
        Rule rule = MeaningRule.FOOTER_WITHOUT_SCHEMA;
        long position = footer.position() + shift;
        return footer.schema(into)
                || sink.broken(
                        Fault.of(rule, position, 0).at("schema").because("footer=" + position));
    }

    /// {@return the footer of a file; null if it is not usable} Then the messages are read as a
    /// stream. Other parts, such as a magic, may be damaged.
    public static Footer usable(MemorySegment file, Limits limits) {
        long position = findFooter(file);
        long length = file.byteSize() - BYTES - position;
        return position < 0 || otherBytes(file) > 0 ? null : usable(file, position, length, limits);
    }

    /// {@return the footer in a range, if it verifies within the limits and can be used; else null}
    public static Footer usable(MemorySegment memory, long position, long length, Limits limits) {
        Footer footer = new Footer();
        boolean isUsable =
                new Verifier(Checks.ARROW_CPP.withLimits(limits))
                                .verify(Verifier.Root.FOOTER, memory, position, length)
                        && schema(footer.wrap(memory, position, length), 0, new Schema(), _ -> {});
        return isUsable ? footer : null;
    }

    /// {@return whether a footer has fields} Others may be another flatbuffer.
    public static boolean hasFields(Footer footer) {
        Schema schema = new Schema();
        return footer.schema(schema) && schema.isPresent(Schema.FIELDS_SLOT);
    }

    /// Finds the footer of a file. Without the trailing magic, only usable bytes count as a footer.
    ///
    /// @return its offset; -1 if there is none
    public static long findFooter(MemorySegment file) {
        long size = file.byteSize();
        int length = size < LEAST_FILE_BYTES ? 0 : footerLength(file);
        long position = footerOffset(size, length);
        boolean isFooter =
                fits(length, size)
                        && (isFile(file)
                                || usable(file, position, length, MessagePlace.LIMITS)
                                                instanceof Footer footer
                                        && hasFields(footer));
        return isFooter ? position : -1;
    }

    /// End of the bytes that hold the messages of a file: its footer or, without one, what is left
    /// of the end.
    public static long endOfMessages(MemorySegment file) {
        long position = findFooter(file);
        return position >= 0 ? position : file.byteSize() - (isFile(file) ? BYTES : 0);
    }

    private static boolean fits(int length, long size) {
        return length > 0 && length <= size - BYTES - FileHead.USUAL_BYTES;
    }
}
