// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.corpus.Corpus;
import dev.fletch.flatbuf.internal.BothPasses;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The metadata in the corpus, of broken inputs and of sound twins, for both verifiers: each
/// message and footer.
class CorpusDifferentialTest {
    private static final int FOOTER_TAIL = Integer.BYTES + 6;

    /// From one case that is verified in all memories to the next. An odd number: every second one
    /// is unaligned.
    private static final int MEMORIES_STEP = CaseCount.of(15, 1);

    private static final List<Checks> OPTIONS =
            List.of(
                    Checks.ARROW_CPP,
                    Checks.ARROW_CPP.with(Check.ALIGNMENT, false),
                    Checks.FLATBUFFERS,
                    Checks.STRICT);

    private static Set<String> files() throws IOException {
        Set<String> files = new TreeSet<>();
        for (Map<String, Object> row : Corpus.index().values()) {
            if (Set.of("file", "stream", "flatbuffer").contains(row.get("container"))) {
                files.add((String) row.get("file"));
                files.add((String) row.get("base"));
            }
        }
        return files;
    }

    private static List<VerifyCase> metadata(String file) throws IOException {
        byte[] bytes = Files.readAllBytes(Corpus.FOLDER.resolve(file));
        ByteBuffer input = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<VerifyCase> cases = new ArrayList<>();
        if (file.endsWith(".bin")) {
            for (Root root : Root.values()) {
                cases.add(VerifyCase.of(root, bytes));
            }
        } else if (file.endsWith(".arrow")) {
            int length = bytes.length < FOOTER_TAIL ? -1 : input.getInt(bytes.length - FOOTER_TAIL);
            if (length > 0 && length <= bytes.length - FOOTER_TAIL) {
                byte[] footer = new byte[length];
                input.get(bytes.length - FOOTER_TAIL - length, footer);
                cases.add(VerifyCase.of(Root.FOOTER, footer));
            }
            addMessages(input.position(Math.min(Long.BYTES, bytes.length)), cases);
        } else {
            addMessages(input, cases);
        }
        return cases;
    }

    /// Up to the first one that says no body length.
    private static void addMessages(ByteBuffer input, List<VerifyCase> cases) {
        while (input.remaining() >= Long.BYTES) {
            int word = input.getInt();
            int length = word == -1 ? input.getInt() : word;
            if (length <= 0 || length > input.remaining()) {
                return;
            }
            byte[] metadata = new byte[length];
            input.get(metadata);
            cases.add(VerifyCase.of(Root.MESSAGE, metadata));
            long body = bodyLength(metadata);
            if (body < 0 || body > input.remaining()) {
                return;
            }
            input.position(input.position() + (int) body);
        }
    }

    private static long bodyLength(byte[] metadata) {
        try {
            return new Message().wrap(MemorySegment.ofArray(metadata)).bodyLength();
        } catch (FletchException e) {
            return -1;
        }
    }

    @Test
    void bothVerifiersDecideTheSameInAllMemories() throws IOException {
        int accepted = 0;
        int refused = 0;
        int everywhere = 0;
        try (BothVerifiers both = new BothVerifiers()) {
            for (String file : files()) {
                for (VerifyCase each : metadata(file)) {
                    for (VerifyCase one : List.of(each, each.unaligned())) {
                        boolean isEverywhere = (accepted + refused) % MEMORIES_STEP == 0;
                        boolean isAccepted = both.agree(file, one, isEverywhere);
                        everywhere += isEverywhere ? 1 : 0;
                        accepted += isAccepted ? 1 : 0;
                        refused += isAccepted ? 0 : 1;
                    }
                }
            }
            CaseCount.report(
                    "Metadata of the corpus: %d accepted, %d refused, %d in all memories, %s",
                    accepted, refused, everywhere, both);
        }
        assertTrue(accepted > 2_000 && refused > 150, accepted + ", " + refused);
    }

    /// The quick pass may leave what is right to the full pass, but accepts nothing else.
    @Test
    void theQuickPassAcceptsNothingThatTheFullPassRefuses() throws IOException {
        int inFull = 0;
        int quickly = 0;
        for (Checks options : OPTIONS) {
            BothPasses passes = new BothPasses(ArrowRules.SET, options);
            for (String file : files()) {
                for (VerifyCase each : metadata(file)) {
                    int kind = ArrowRules.SET.kind(each.root().table());
                    MemorySegment memory = MemorySegment.ofArray(each.bytes());
                    boolean isRight = passes.isAcceptedInFull(kind, memory);
                    boolean isQuick = passes.isAcceptedQuickly(kind, memory);
                    assertTrue(!isQuick || isRight && passes.reachTheSame(), file);
                    inFull += isRight ? 1 : 0;
                    quickly += isQuick ? 1 : 0;
                }
            }
        }
        CaseCount.report("Metadata of the corpus: %d right, %d of them quickly", inFull, quickly);
        assertTrue(quickly > inFull * 9 / 10, quickly + " of " + inFull);
    }
}
