// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.format.Verifier;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.wire.Base64Text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Detects the form of an input, also of a damaged one.
///
/// `--root` decides first, then [DetectedInput]. A stream counts as a single message if the input
/// ends after its first message, or after that message's metadata. For other inputs, the form with
/// the highest score wins: a flatbuffer of one of the roots, or a damaged stream without
/// continuation words. The score is the number of explained bytes, less a penalty for each fault.
final class AnnotateInput {
    // The penalty for one fault.
    private static final int BYTES_PER_FAULT = 8;

    private AnnotateInput() {}

    /// Detects the form of an input.
    ///
    /// @param forced the root table of a flatbuffer; null to detect the form
    static DetectedInput of(MemorySegment memory, Verifier.Root forced) {
        if (forced == null) {
            return DetectedInput.of(memory, AnnotateInput::ofBytes);
        }
        Base64Text text = DetectedInput.text(memory);
        // Damaged base64 cannot be distinguished from a flatbuffer.
        return text == null || text.faultAt() >= 0
                ? new DetectedInput(Form.FLATBUFFER, forced, memory, null)
                : new DetectedInput(
                        Form.FLATBUFFER, forced, MemorySegment.ofArray(text.bytes()), text);
    }

    private static DetectedInput ofBytes(MemorySegment memory) {
        MessagePlace first = MessagePlace.at(memory, 0, memory.byteSize());
        DetectedInput input = DetectedInput.ofBytes(memory);
        boolean isStream = input.form() == Form.STREAM;
        // A stream of old writers is aligned; a single message need not be.
        boolean isSound = first.isSound();
        boolean isUnaligned = input.form() == Form.UNKNOWN && isSound;
        if ((isStream || isUnaligned) && isAlone(first)) {
            return new DetectedInput(Form.MESSAGE, memory);
        }
        boolean isDoubtful = isStream && !first.isCurrent() && !isSound;
        return isDoubtful || input.form() == Form.UNKNOWN ? ofDamaged(input) : input;
    }

    private static boolean isAlone(MessagePlace place) {
        long end = place.memory().byteSize();
        return place.isWhole()
                && (place.bodyAt() == end
                        || place.hasBodyLength() && place.bodyLength() == end - place.bodyAt());
    }

    /// The form with the highest score: a flatbuffer of one of the roots, or a stream.
    private static DetectedInput ofDamaged(DetectedInput input) {
        MemorySegment memory = input.memory();
        long size = memory.byteSize();
        DetectedInput best = input;
        long limit = Long.MIN_VALUE;
        boolean mayBeFlatbuffer =
                size <= DetectedInput.MAX_FLATBUFFER_BYTES && MessagePlace.hasRoot(memory, 0, size);
        List<Verifier.Root> roots = mayBeFlatbuffer ? DetectedInput.ROOTS : List.of();
        for (Verifier.Root root : roots) {
            DetectedInput each = new DetectedInput(Form.FLATBUFFER, root, memory, null);
            long score = score(each);
            best = score > limit ? each : best;
            limit = Math.max(score, limit);
        }
        DetectedInput stream = new DetectedInput(Form.STREAM, memory);
        if (score(stream) > Math.max(0, limit)) {
            return stream;
        }
        // Explaining less than half of the bytes does not outweigh the first words of a stream.
        return input.form() == Form.STREAM && limit < size / 2 ? input : best;
    }

    /// The score of an assumed form: explained bytes, less a penalty for each fault.
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
