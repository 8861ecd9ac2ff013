// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FletchException;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.OtherFormat;
import dev.fletch.schema.internal.ParquetSchema;
import dev.fletch.wire.Base64Text;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The format of an input, detected by its content in this order:
///
/// 1. file: begins with `ARROW1`
/// 2. stream: begins with a continuation indicator and a possible length, or with the metadata
///    length of a message
/// 3. file: ends with `ARROW1`
/// 4. base64 of any of these or of a flatbuffer, such as the `ARROW:schema` value of Parquet
/// 5. single flatbuffer: a message, footer or schema that verifies
///
/// @param form the format
/// @param root table of a single flatbuffer; else null
/// @param memory the bytes, base64 decoded; null for a stream from a pipe
/// @param base64 the decoded text; null for other inputs
public record DetectedInput(
        Form form, Verifier.Root root, MemorySegment memory, Base64Text base64) {
    /// Formats of inputs. [#ofBytes] takes a message with a prefix for a stream of one message.
    public enum Form {
        FILE,
        STREAM,
        MESSAGE,
        FLATBUFFER,
        UNKNOWN;

        /// The name in JSON.
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Larger inputs are not tested for a single flatbuffer.
    public static final long MAX_FLATBUFFER_BYTES = 256L << 20;

    /// The root tables of single flatbuffers.
    public static final List<Verifier.Root> ROOTS =
            List.of(Verifier.Root.MESSAGE, Verifier.Root.FOOTER, Verifier.Root.SCHEMA);

    public DetectedInput(Form form, MemorySegment memory) {
        this(form, null, memory, null);
    }

    /// Detects the format of an input. Stores a pipe's bytes, unless it is a stream.
    ///
    /// @throws FletchException if the format is unknown
    public static DetectedInput of(InputBytes bytes) throws IOException {
        return find(bytes).requireKnown();
    }

    /// Same as [#of(InputBytes)], but of an unknown form if the format is unknown.
    static DetectedInput find(InputBytes bytes) throws IOException {
        if (bytes.refusal() != null) {
            throw bytes.refusal();
        }
        MemorySegment leading = MemorySegment.ofArray(bytes.leading());
        if (container(leading) == ArrowContainer.STREAM && beginsWithLength(leading)) {
            return new DetectedInput(Form.STREAM, bytes.memory());
        }
        bytes.keep();
        return of(bytes.memory(), DetectedInput::ofBytes);
    }

    /// [#of(InputBytes)] for bytes in memory.
    public static DetectedInput of(MemorySegment memory) {
        return of(memory, DetectedInput::ofBytes).requireKnown();
    }

    /// @throws FletchException if the format is unknown
    DetectedInput requireKnown() {
        if (form == Form.UNKNOWN) {
            throw OtherFormat.exception(memory);
        }
        return this;
    }

    /// Detects the format of bytes, or of what they are base64 of, by a detection without base64.
    public static DetectedInput of(
            MemorySegment memory, Function<MemorySegment, DetectedInput> detection) {
        DetectedInput plain = detection.apply(memory);
        Base64Text text = plain.form == Form.UNKNOWN ? text(memory) : null;
        if (text == null) {
            return plain;
        }
        DetectedInput decoded = detection.apply(MemorySegment.ofArray(text.bytes()));
        return decoded.form == Form.UNKNOWN
                ? plain
                : new DetectedInput(decoded.form, decoded.root, decoded.memory, text);
    }

    /// Detects the format of bytes, without base64.
    public static DetectedInput ofBytes(MemorySegment memory) {
        ArrowContainer container = container(memory);
        if (container != null) {
            boolean isFile = container == ArrowContainer.FILE;
            return new DetectedInput(isFile ? Form.FILE : Form.STREAM, memory);
        }
        Verifier.Root root = flatbuffer(memory);
        return new DetectedInput(root == null ? Form.UNKNOWN : Form.FLATBUFFER, root, memory, null);
    }

    /// Whether the length in the first prefix is possible. The overwritten magic of a file may look
    /// like a continuation indicator, too.
    private static boolean beginsWithLength(MemorySegment memory) {
        long prefix = MessagePrefix.read(memory, 0, memory.byteSize());
        return !MessagePrefix.isCurrent(prefix) || MessagePrefix.metadataLength(prefix) >= 0;
    }

    /// Whether an input is a file or a stream, by its first bytes and a file's end; null if it is
    /// neither.
    public static ArrowContainer container(MemorySegment memory) {
        ArrowContainer leading = ArrowContainer.find(memory);
        boolean mayBeFile = leading != ArrowContainer.STREAM || !beginsWithLength(memory);
        return mayBeFile && FileTail.isFile(memory) ? ArrowContainer.FILE : leading;
    }

    /// The bytes as base64; null if they are not.
    public static Base64Text text(MemorySegment memory) {
        return isText(memory) ? Base64Text.detect(memory, ParquetSchema.KEY) : null;
    }

    /// Whether bytes begin like text, which prefixes and flatbuffers do not.
    private static boolean isText(MemorySegment memory) {
        long length = Math.min(memory.byteSize(), ArrowContainer.LEADING_BYTES);
        for (long i = Base64Text.start(memory); i < length; i++) {
            int each = memory.get(ValueLayout.JAVA_BYTE, i);
            if (each < ' ' && each != '\n' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return length > 0;
    }

    /// The root table of a flatbuffer; null if the bytes are not one. If they verify as several,
    /// the one with the most tables: another root mistakes an offset for a number, or a vector for
    /// a table. Of roots with equally many tables, the last.
    private static Verifier.Root flatbuffer(MemorySegment memory) {
        if (memory.byteSize() > MAX_FLATBUFFER_BYTES) {
            return null;
        }
        Verifier verifier = new Verifier(MessagePlace.CHECKS);
        Verifier.Root found = null;
        long most = 0;
        for (Verifier.Root root : ROOTS) {
            if (verifier.verify(root, memory, 0, memory.byteSize())
                    && verifier.tablesVisited() >= most
                    && hasContent(memory, root)) {
                found = root;
                most = verifier.tablesVisited();
            }
        }
        return found;
    }

    /// Distinguishes the root tables: nearly empty tables verify as any of them.
    private static boolean hasContent(MemorySegment memory, Verifier.Root root) {
        return switch (root) {
            case MESSAGE -> {
                int kind = new Message().wrap(memory).headerType();
                yield kind != MessageHeader.NONE && MessageHeader.NAMES.isKnown(kind);
            }
            case FOOTER -> FileTail.hasFields(new Footer().wrap(memory));
            default -> new Schema().wrap(memory).isPresent(Schema.FIELDS_SLOT);
        };
    }
}
