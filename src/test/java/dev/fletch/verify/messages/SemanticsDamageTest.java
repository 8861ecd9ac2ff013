// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.batch.LayoutDamageTest;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Whatever bytes say whose structure is accepted, a verification of their meaning ends with a
/// verdict: nothing is thrown, and nothing takes long.
class SemanticsDamageTest {
    private static final List<Checks> PRESETS =
            List.of(Checks.DEFAULT, Checks.STRICT, Checks.ARROW_CPP);

    private final Verifier structure = new Verifier();
    private int accepted;
    private int refused;

    private static List<byte[]> messages(byte[] stream) {
        return OracleListing.list(stream).messages().stream()
                .map(OracleMessage::metadataBytes)
                .toList();
    }

    @Test
    void damagedStreamsGetAVerdict() {
        Random random = new Random(5);
        for (RealInput each : RealInput.all()) {
            if (!OracleListing.isFile(each.bytes())) {
                damage(messages(each.bytes()), random, CaseCount.of(18, 70));
            }
        }
        assertTrue(accepted > 600 && refused > 600, accepted + ", " + refused);
    }

    /// Damages one message of the stream in each round.
    private void damage(List<byte[]> stream, Random random, int rounds) {
        for (int round = 0; round < rounds; round++) {
            SemanticVerifier meaning = new SemanticVerifier(PRESETS.get(round % PRESETS.size()));
            int told = round % 2 == 0 ? 0 : 1 + random.nextInt(50);
            List<String> found = new ArrayList<>();
            if (told > 0) {
                meaning.collect(fault -> found.add(fault.toString()), told);
            }
            int damaged = round % stream.size();
            for (int i = 0; i < stream.size(); i++) {
                byte[] bytes = i == damaged ? damaged(stream.get(i), random) : stream.get(i);
                MemorySegment memory = MemorySegment.ofArray(bytes);
                found.clear();
                if (structure.verify(Verifier.Root.MESSAGE, memory)) {
                    verdict(meaning, new Message().wrap(memory), found, told);
                } else {
                    meaning.skip();
                }
            }
        }
    }

    private void verdict(SemanticVerifier meaning, Message message, List<String> found, int told) {
        boolean right = meaning.message(message);
        assertEquals(right, meaning.faultCount() == 0);
        assertEquals(right, meaning.fault() == null);
        assertEquals(told == 0 ? 0 : Math.min(told, meaning.faultCount()), found.size());
        if (right) {
            accepted++;
        } else {
            refused++;
            Fault fault = meaning.fault();
            assertTrue(fault.position() >= 0 && fault.position() < message.bufferLength());
            assertTrue(fault.exception().getMessage().startsWith(fault.rule().id()));
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        LayoutDamageTest.damage(bytes, random);
        return bytes;
    }
}
