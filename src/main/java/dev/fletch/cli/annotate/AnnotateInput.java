// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.text.Base64Text;
import dev.fletch.cli.verify.FileCheck;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// What an input is taken for. In this order, and the first that holds is it:
///
/// 1. what `--root` says: a flatbuffer
/// 2. a file: it begins with `ARROW1`
/// 3. a message or a stream: it begins with a continuation word
/// 4. a file: it ends with `ARROW1`
/// 5. a message or a stream as old writers have them: a length, and metadata that verifies
/// 6. base64 of any of these, or of a flatbuffer
/// 7. a flatbuffer of one of the kinds, if its root looks like a table, or a damaged stream: whichever
///    explains most of the bytes, see [FlatbufferScore]
/// 8. a stream without continuation words, also with damaged metadata
///
/// One message is a message if the input ends with it, or with its metadata; else this is a stream.
///
/// @param form what it is
/// @param root of a flatbuffer: what it holds; else null
/// @param memory the bytes; those that base64 stands for
/// @param base64 the text that was decoded; null if there was none
record AnnotateInput(Form form, Verifier.Root root, MemorySegment memory, Base64Text base64) {
    /// Kinds of input.
    enum Form {
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
        String id() {
            return id;
        }
    }

    // Larger inputs that do not say what they are are no lone flatbuffers.
    private static final long MAX_GUESSED = 256L << 20;
    private static final int TEXT_BYTES = 8;
    private static final List<Verifier.Root> ROOTS =
            List.of(Verifier.Root.MESSAGE, Verifier.Root.FOOTER, Verifier.Root.SCHEMA);

    /// Finds out what bytes are.
    ///
    /// @param forced what a flatbuffer holds; null to find it out
    static AnnotateInput of(MemorySegment memory, Verifier.Root forced) {
        if (!isText(memory)) {
            return ofBytes(memory, forced);
        }
        AnnotateInput plain = ofFrames(memory);
        if (plain != null && forced == null) {
            return plain;
        }
        Base64Text text = Base64Text.decode(memory);
        // Where the kind is forced, nothing else tells a damaged text from a flatbuffer.
        if (text == null || forced != null && text.faultAt() >= 0) {
            return ofBytes(memory, forced);
        }
        AnnotateInput decoded = ofBytes(MemorySegment.ofArray(text.bytes()), forced);
        return decoded.form == Form.UNKNOWN
                ? ofBytes(memory, forced)
                : new AnnotateInput(decoded.form, decoded.root, decoded.memory, text);
    }

    /// Whether the first bytes are those of a text: the frames and flatbuffers of Arrow have zeros
    /// or ones there.
    private static boolean isText(MemorySegment memory) {
        long length = Math.min(memory.byteSize(), TEXT_BYTES);
        for (long i = Base64Text.start(memory); i < length; i++) {
            int each = memory.get(ValueLayout.JAVA_BYTE, i);
            if (each < ' ' && each != '\n' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return length > 0;
    }

    private static AnnotateInput ofBytes(MemorySegment memory, Verifier.Root forced) {
        if (forced != null) {
            return new AnnotateInput(Form.FLATBUFFER, forced, memory, null);
        }
        AnnotateInput framed = ofFrames(memory);
        return framed == null ? ofDamaged(memory) : framed;
    }

    /// What explains most of the bytes: a flatbuffer of one of the kinds, or a stream.
    private static AnnotateInput ofDamaged(MemorySegment memory) {
        AnnotateInput best = null;
        long most = 0;
        boolean isSmall =
                memory.byteSize() <= MAX_GUESSED
                        && FlatbufferWalk.hasRoot(memory, 0, memory.byteSize());
        for (Verifier.Root root : isSmall ? ROOTS : List.<Verifier.Root>of()) {
            long score = FlatbufferScore.ofFlatbuffer(memory, root);
            if (score > most || best == null) {
                best = new AnnotateInput(Form.FLATBUFFER, root, memory, null);
                most = score;
            }
        }
        AnnotateInput stream = new AnnotateInput(Form.STREAM, null, memory, null);
        if (FlatbufferScore.ofStream(stream) > Math.max(0, most)) {
            return stream;
        }
        boolean isStream = container(memory) == ArrowContainer.STREAM;
        // What is not even half explained does not outweigh how it begins.
        if (best != null && !(isStream && most < memory.byteSize() / 2)) {
            return best;
        }
        return isStream ? stream : new AnnotateInput(Form.UNKNOWN, null, memory, null);
    }

    /// What begins or ends as files do, or begins with a message.
    private static AnnotateInput ofFrames(MemorySegment memory) {
        ArrowContainer container = container(memory);
        boolean isCurrent =
                memory.byteSize() >= EncapsulatedMessage.LEGACY_PREFIX_BYTES
                        && Wire.int32(memory, 0) == EncapsulatedMessage.CONTINUATION;
        Form form = null;
        if (container == ArrowContainer.FILE) {
            form = Form.FILE;
        } else if (isCurrent) {
            form = isOneMessage(memory) ? Form.MESSAGE : Form.STREAM;
        } else if (FileCheck.endsAsAFile(memory)) {
            form = Form.FILE;
        } else if (MessagePlace.at(memory, 0, memory.byteSize()).isSound()) {
            // A stream of old writers is aligned; a message alone has lost what it was aligned to.
            form =
                    isOneMessage(memory)
                            ? Form.MESSAGE
                            : container == ArrowContainer.STREAM ? Form.STREAM : null;
        }
        return form == null ? null : new AnnotateInput(form, null, memory, null);
    }

    private static ArrowContainer container(MemorySegment memory) {
        try {
            return ArrowContainer.detect(memory);
        } catch (ArrowFormatException _) {
            return null;
        }
    }

    private static boolean isOneMessage(MemorySegment memory) {
        MessagePlace place = MessagePlace.at(memory, 0, memory.byteSize());
        return place.isWhole()
                && (place.bodyAt() == memory.byteSize()
                        || place.hasBodyLength()
                                && place.bodyLength() == memory.byteSize() - place.bodyAt());
    }
}
