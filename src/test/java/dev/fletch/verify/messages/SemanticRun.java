// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What a verification of meaning finds in whole streams and files.
public final class SemanticRun {
    private SemanticRun() {}

    /// What is found in a whole stream or file.
    static List<String> found(byte[] bytes, Checks options) {
        List<String> found = new ArrayList<>();
        SemanticVerifier meaning =
                new SemanticVerifier(options, fault -> found.add(fault.toString()), 100);
        steps(bytes).forEach(each -> each.test(meaning));
        return found;
    }

    /// The calls that verify a stream or a file; none for a file that cannot be opened.
    static List<Predicate<SemanticVerifier>> steps(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        if (!OracleListing.isFile(bytes)) {
            return stream(bytes, memory);
        }
        try {
            return file(memory);
        } catch (FletchException e) {
            return List.of();
        }
    }

    /// The messages one after the other, with their bodies.
    private static List<Predicate<SemanticVerifier>> stream(byte[] bytes, MemorySegment memory) {
        List<Predicate<SemanticVerifier>> steps = new ArrayList<>();
        for (OracleMessage each : OracleListing.list(bytes).messages()) {
            Message message = new Message().wrap(MemorySegment.ofArray(each.metadataBytes()));
            steps.add(
                    meaning ->
                            meaning.message(
                                    message, ContainerPart.NO_BLOCK, memory, each.bodyOffset()));
        }
        return steps;
    }

    /// The footer, the blocks that it lists, and the end.
    private static List<Predicate<SemanticVerifier>> file(MemorySegment memory) {
        List<Predicate<SemanticVerifier>> steps = new ArrayList<>();
        ArrowFile file = ArrowFile.of(memory);
        steps.add(meaning -> meaning.footer(file.footer()));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        for (int i = 0; i < file.recordBatchCount() + file.dictionaryCount(); i++) {
            int index = i - file.recordBatchCount();
            Message message = new Message();
            if (index < 0) {
                file.recordBatch(i, frame, message);
            } else {
                file.dictionary(index, frame, message);
            }
            long body = frame.bodyOffset();
            int block = index < 0 ? i : index;
            steps.add(meaning -> meaning.message(message, block, memory, body));
        }
        steps.add(meaning -> meaning.endFile(file.footer()));
        return steps;
    }
}
