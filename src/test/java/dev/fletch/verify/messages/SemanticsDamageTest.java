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
            int limit = round % 2 == 0 ? 1 : 1 + random.nextInt(50);
            List<Fault> found = new ArrayList<>();
            Checks checks = PRESETS.get(round % PRESETS.size());
            SemanticVerifier meaning = new SemanticVerifier(checks, found::add, limit);
            int damaged = round % stream.size();
            for (int i = 0; i < stream.size(); i++) {
                byte[] bytes = i == damaged ? damaged(stream.get(i), random) : stream.get(i);
                MemorySegment memory = MemorySegment.ofArray(bytes);
                found.clear();
                if (structure.verify(Verifier.Root.MESSAGE, memory)) {
                    verdict(meaning, new Message().wrap(memory), found, limit);
                } else {
                    meaning.skip();
                }
            }
        }
    }

    private void verdict(SemanticVerifier meaning, Message message, List<Fault> found, int limit) {
        boolean right = meaning.message(message);
        assertEquals(right, found.isEmpty());
        assertTrue(found.size() <= limit);
        if (right) {
            accepted++;
        } else {
            refused++;
            Fault fault = found.getLast();
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
