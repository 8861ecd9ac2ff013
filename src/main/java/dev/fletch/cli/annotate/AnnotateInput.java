// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.io.DetectedInput;
import dev.fletch.cli.io.DetectedInput.Form;
import dev.fletch.cli.text.Base64Text;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFormatException;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Detects what an input is, also a damaged one.
///
/// What `--root` says decides first. Then [DetectedInput] does, and a stream of one message is a
/// message if the input ends with it, or with its metadata. An input that is none of these is what
/// explains most of its bytes, by [FlatbufferScore]: a flatbuffer of one of the kinds, or a damaged
/// stream without continuation words.
final class AnnotateInput {
    // Larger inputs that do not say what they are are no lone flatbuffers.
    private static final long MAX_GUESSED = 256L << 20;
    private static final List<Verifier.Root> ROOTS =
            List.of(Verifier.Root.MESSAGE, Verifier.Root.FOOTER, Verifier.Root.SCHEMA);

    private AnnotateInput() {}

    /// Detects what bytes are.
    ///
    /// @param forced what a flatbuffer holds; null to find it out
    static DetectedInput of(MemorySegment memory, Verifier.Root forced) {
        if (forced != null) {
            return forced(memory, forced);
        }
        DetectedInput plain = ofBytes(memory);
        Base64Text text =
                plain.form() == Form.UNKNOWN && DetectedInput.isText(memory)
                        ? Base64Text.decode(memory)
                        : null;
        if (text == null) {
            return plain;
        }
        DetectedInput decoded = ofBytes(MemorySegment.ofArray(text.bytes()));
        return decoded.form() == Form.UNKNOWN
                ? plain
                : new DetectedInput(decoded.form(), decoded.root(), decoded.memory(), text);
    }

    /// Only a sound text counts as base64: nothing else tells a damaged one from a flatbuffer.
    private static DetectedInput forced(MemorySegment memory, Verifier.Root root) {
        Base64Text text = DetectedInput.isText(memory) ? Base64Text.decode(memory) : null;
        boolean isBase64 = text != null && text.faultAt() < 0;
        return new DetectedInput(
                Form.FLATBUFFER,
                root,
                isBase64 ? MemorySegment.ofArray(text.bytes()) : memory,
                isBase64 ? text : null);
    }

    private static DetectedInput ofBytes(MemorySegment memory) {
        MessagePlace first = MessagePlace.at(memory, 0, memory.byteSize());
        DetectedInput found = detected(memory);
        boolean isStream = found.form() == Form.STREAM;
        // A stream of old writers is aligned; a message alone has lost what it was aligned to.
        boolean isUnaligned = found.form() == Form.UNKNOWN && first.isSound();
        if ((isStream || isUnaligned) && isAlone(first)) {
            return new DetectedInput(Form.MESSAGE, memory);
        }
        boolean isDoubtful = isStream && !first.isCurrent() && !first.isSound();
        return isDoubtful || found.form() == Form.UNKNOWN ? ofDamaged(found) : found;
    }

    private static DetectedInput detected(MemorySegment memory) {
        try {
            return DetectedInput.ofBytes(memory);
        } catch (ArrowFormatException _) {
            return new DetectedInput(Form.UNKNOWN, memory);
        }
    }

    private static boolean isAlone(MessagePlace place) {
        long end = place.memory().byteSize();
        return place.isWhole()
                && (place.bodyAt() == end
                        || place.hasBodyLength() && place.bodyLength() == end - place.bodyAt());
    }

    /// What explains most of the bytes: a flatbuffer of one of the kinds, or a stream.
    private static DetectedInput ofDamaged(DetectedInput found) {
        MemorySegment memory = found.memory();
        DetectedInput best = null;
        long most = 0;
        boolean isSmall =
                memory.byteSize() <= MAX_GUESSED
                        && FlatbufferWalk.hasRoot(memory, 0, memory.byteSize());
        for (Verifier.Root root : isSmall ? ROOTS : List.<Verifier.Root>of()) {
            long score = FlatbufferScore.ofFlatbuffer(memory, root);
            if (score > most || best == null) {
                best = new DetectedInput(Form.FLATBUFFER, root, memory, null);
                most = score;
            }
        }
        DetectedInput stream = new DetectedInput(Form.STREAM, memory);
        if (FlatbufferScore.ofStream(stream) > Math.max(0, most)) {
            return stream;
        }
        boolean isStream = found.form() == Form.STREAM;
        // What is not even half explained does not outweigh how it begins.
        if (best != null && !(isStream && most < memory.byteSize() / 2)) {
            return best;
        }
        return found;
    }
}
