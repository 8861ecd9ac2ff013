// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// What a verification of meaning finds in whole streams and files.
public final class SemanticRun {
    private SemanticRun() {}

    /// The messages one after the other, as a stream has them, with their bodies.
    static List<String> stream(byte[] bytes, SemanticOptions options) {
        List<String> found = new ArrayList<>();
        SemanticVerifier meaning = new SemanticVerifier(options);
        meaning.collect(fault -> found.add(fault.toString()), 100);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        for (OracleMessage each : OracleListing.list(bytes).messages()) {
            Message message = new Message().wrap(MemorySegment.ofArray(bytesOf(each)));
            meaning.message(message, memory, each.bodyOffset());
        }
        return found;
    }

    /// A file by its footer.
    static List<String> file(byte[] bytes, SemanticOptions options) {
        List<String> found = new ArrayList<>();
        SemanticVerifier meaning = new SemanticVerifier(options);
        meaning.collect(fault -> found.add(fault.toString()), 100);
        try (ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes))) {
            meaning.footer(file.footer());
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                meaning.block(message, i);
            }
            for (int i = 0; i < file.dictionaryCount(); i++) {
                file.dictionary(i, frame, message);
                meaning.block(message, i);
            }
            meaning.endFile(file.footer());
        }
        return found;
    }

    public static byte[] bytesOf(OracleMessage message) {
        ByteBuffer metadata = message.metadata();
        byte[] bytes = new byte[metadata.remaining()];
        metadata.duplicate().get(bytes);
        return bytes;
    }
}
