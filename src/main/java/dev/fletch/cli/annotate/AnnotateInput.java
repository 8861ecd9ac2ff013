// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.format.Verifier;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.ParquetSchema;
import dev.fletch.wire.Base64Text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Detects what an input is, also a damaged one.
///
/// What `--root` says decides first. Then [DetectedInput] does, and a stream of one message is a
/// message if the input ends with it, or with its metadata. An input that is none of these is what
/// explains most of its bytes, less a penalty
/// for each fault: a flatbuffer of one of the kinds, or a damaged
/// stream without continuation words.
final class AnnotateInput {
    // Larger inputs that do not say what they are are no lone flatbuffers.
    private static final long MAX_GUESSED = 256L << 20;
    // How many explained bytes one fault cancels.
    private static final int BYTES_PER_FAULT = 8;
    private static final List<Verifier.Root> ROOTS =
            List.of(Verifier.Root.MESSAGE, Verifier.Root.FOOTER, Verifier.Root.SCHEMA);

    private AnnotateInput() {}

    /// Detects what bytes are.
    ///
    /// @param forced what a flatbuffer holds; null to find it out
    static DetectedInput of(MemorySegment memory, Verifier.Root forced) {
        DetectedInput plain =
                forced == null
                        ? ofBytes(memory)
                        : new DetectedInput(Form.FLATBUFFER, forced, memory, null);
        boolean mayBeText = forced != null || plain.form() == Form.UNKNOWN;
        Base64Text text =
                mayBeText && DetectedInput.isText(memory)
                        ? Base64Text.detect(memory, ParquetSchema.KEY)
                        : null;
        // Only a sound text is one of a forced flatbuffer: nothing else tells a damaged one from
        // it.
        if (text == null || forced != null && text.faultAt() >= 0) {
            return plain;
        }
        MemorySegment bytes = MemorySegment.ofArray(text.bytes());
        DetectedInput decoded = forced == null ? ofBytes(bytes) : plain;
        return decoded.form() == Form.UNKNOWN
                ? plain
                : new DetectedInput(decoded.form(), decoded.root(), bytes, text);
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
        long size = memory.byteSize();
        DetectedInput best = found;
        long most = Long.MIN_VALUE;
        boolean mayBeFlatbuffer = size <= MAX_GUESSED && FlatbufferWalk.hasRoot(memory, 0, size);
        for (Verifier.Root root : mayBeFlatbuffer ? ROOTS : List.<Verifier.Root>of()) {
            DetectedInput each = new DetectedInput(Form.FLATBUFFER, root, memory, null);
            long score = score(each);
            best = score > most ? each : best;
            most = Math.max(score, most);
        }
        DetectedInput stream = new DetectedInput(Form.STREAM, memory);
        if (score(stream) > Math.max(0, most)) {
            return stream;
        }
        // What is not even half explained does not outweigh how it begins.
        return found.form() == Form.STREAM && most < size / 2 ? found : best;
    }

    /// How likely it is that bytes are what is assumed: explained bytes less a penalty for each fault.
    private static long score(DetectedInput assumed) {
        long[] explained = new long[1];
        AnnotateSink counter =
                (region, part, _, _) -> {
                    boolean counts = part.isInBuffer(region) && region.isExplained();
                    explained[0] += counts ? region.length() : 0;
                };
        try {
            AnnotateFaults faults = AnnotateFaults.of(assumed, true);
            new AnnotateWalk(assumed, faults, counter).run();
            return explained[0] - (long) BYTES_PER_FAULT * faults.all().size();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // only memory is read
        }
    }
}
