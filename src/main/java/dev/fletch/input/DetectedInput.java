// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.ParquetSchema;
import dev.fletch.wire.Base64Text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What an input is, by its content. All commands detect it here, in this order:
///
/// 1. a file: it begins with `ARROW1`
/// 2. a stream: it begins with a continuation word, or with the length of a message
/// 3. a file: it ends with `ARROW1`
/// 4. base64 of any of these, or of a flatbuffer; so Parquet keeps a schema under `ARROW:schema`
/// 5. a flatbuffer alone: a message, footer or schema that verifies
///
/// @param form what it is
/// @param root of a flatbuffer: what it holds; else null
/// @param memory the bytes, which base64 may stand for; null for a stream that comes through a pipe
/// @param base64 the text that was decoded; null if there was none
public record DetectedInput(
        Form form, Verifier.Root root, MemorySegment memory, Base64Text base64) {
    /// Kinds of input. Only `annotate` tells a message from a stream of one, and goes on with an input of
    /// an unknown kind.
    public enum Form {
        FILE("file"),
        STREAM("stream"),
        MESSAGE("message"),
        FLATBUFFER("flatbuffer"),
        UNKNOWN("unknown");

        private final String id;

        Form(String id) {
            this.id = id;
        }

        /// As it is spelled in JSON.
        public String id() {
            return id;
        }
    }

    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    // Larger inputs that do not say what they are are no lone flatbuffers.
    private static final long MAX_FLATBUFFER_BYTES = 256L << 20;
    // Magic and padding, the shortest footer's length, and magic.
    private static final int LEAST_FILE_BYTES = 18;
    private static final List<Verifier.Root> ROOTS =
            List.of(Verifier.Root.MESSAGE, Verifier.Root.FOOTER, Verifier.Root.SCHEMA);

    public DetectedInput(Form form, MemorySegment memory) {
        this(form, null, memory, null);
    }

    /// Detects what an input is. A pipe is kept, unless it is a stream.
    ///
    /// @throws ArrowFormatException if it is none of these
    public static DetectedInput of(InputBytes bytes) throws IOException {
        if (bytes.refusal() != null) {
            throw bytes.refusal();
        }
        byte[] leading = bytes.leading();
        if (beginsAsAStream(leading)) {
            return new DetectedInput(Form.STREAM, bytes.memory());
        }
        bytes.keep();
        return of(bytes.memory());
    }

    private static boolean beginsAsAStream(byte[] leading) {
        try {
            return ArrowContainer.detect(MemorySegment.ofArray(leading)) == ArrowContainer.STREAM;
        } catch (ArrowFormatException _) {
            return false;
        }
    }

    /// Detects what bytes in memory are.
    ///
    /// @throws ArrowFormatException if they are none of these
    public static DetectedInput of(MemorySegment memory) {
        try {
            return ofBytes(memory);
        } catch (ArrowFormatException e) {
            Base64Text text = isText(memory) ? Base64Text.detect(memory, ParquetSchema.KEY) : null;
            if (text == null) {
                throw e;
            }
            try {
                DetectedInput decoded = ofBytes(MemorySegment.ofArray(text.bytes()));
                return new DetectedInput(decoded.form, decoded.root, decoded.memory, text);
            } catch (ArrowFormatException _) {
                throw e;
            }
        }
    }

    /// Detects what bytes are, without base64.
    public static DetectedInput ofBytes(MemorySegment memory) {
        try {
            ArrowContainer container = ArrowContainer.detect(memory);
            return new DetectedInput(
                    container == ArrowContainer.FILE ? Form.FILE : Form.STREAM, memory);
        } catch (ArrowFormatException e) {
            if (endsAsAFile(memory)) {
                return new DetectedInput(Form.FILE, memory);
            }
            Verifier.Root root = flatbuffer(memory);
            if (root == null) {
                throw e;
            }
            return new DetectedInput(Form.FLATBUFFER, root, memory, null);
        }
    }

    /// Whether bytes are a text: frames and flatbuffers have zeros or ones in front.
    public static boolean isText(MemorySegment memory) {
        long length = Math.min(memory.byteSize(), ArrowContainer.LEADING_BYTES);
        for (long i = Base64Text.start(memory); i < length; i++) {
            int each = memory.get(ValueLayout.JAVA_BYTE, i);
            if (each < ' ' && each != '\n' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return length > 0;
    }

    /// Whether bytes end with the magic, and have room for a file.
    public static boolean endsAsAFile(MemorySegment memory) {
        return memory.byteSize() > LEAST_FILE_BYTES
                && hasMagic(memory, memory.byteSize() - MAGIC.length);
    }

    /// Whether the magic is at an offset.
    public static boolean hasMagic(MemorySegment memory, long at) {
        return memory.asSlice(at, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
    }

    /// The root of a flatbuffer; null if the bytes are none.
    private static Verifier.Root flatbuffer(MemorySegment memory) {
        if (memory.byteSize() > MAX_FLATBUFFER_BYTES) {
            return null;
        }
        Verifier verifier = new Verifier();
        for (Verifier.Root root : ROOTS) {
            if (verifier.verify(root, memory, 0, memory.byteSize()) && hasContent(memory, root)) {
                return root;
            }
        }
        return null;
    }

    /// Tells the tables apart: each of them verifies as another one if it is nearly empty.
    private static boolean hasContent(MemorySegment memory, Verifier.Root root) {
        return switch (root) {
            case MESSAGE -> {
                int kind = new Message().wrap(memory).headerType();
                yield kind != MessageHeader.NONE && MessageHeader.NAMES.isKnown(kind);
            }
            case FOOTER -> new Footer().wrap(memory).schema(new Schema());
            default -> new Schema().wrap(memory).isPresent(Schema.FIELDS_SLOT);
        };
    }
}
