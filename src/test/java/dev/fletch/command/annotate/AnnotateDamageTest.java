// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.corpus.Corpus;
import dev.fletch.corpus.CorpusCase;
import dev.fletch.format.Verifier.Root;
import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/// What a damaged input is taken for, and what is found behind the damage. The undamaged input says
/// what has to be found.
@Timeout(300)
class AnnotateDamageTest {
    /// From one wrong byte to the next.
    private static final int STEP = CaseCount.of(23, 1);

    /// Of a hundred inputs with one wrong byte, so many are told as what they are.
    private static final int LEAST_PERCENT = 95;

    /// Offsets of the flatbuffers of a stream's messages.
    private static List<Long> roots(Annotated all) {
        return all.regions.stream()
                .map(Annotated.Told::region)
                .filter(each -> each.kind() == RegionKind.ROOT_OFFSET)
                .map(Region::at)
                .toList();
    }

    // ---- what it is

    private static void tellsOf(String what, byte[] sound, Predicate<DetectedInput> isRight) {
        assertTrue(isRight.test(Annotated.of(sound).input), what);
        int right = 0;
        int tried = 0;
        for (int at = 0; at < sound.length; at += STEP) {
            byte[] damaged = sound.clone();
            tried++;
            damaged[at] ^= (byte) 0xFF;
            right += isRight.test(Annotated.of(damaged).input) ? 1 : 0;
        }
        System.out.printf("annotate: %s, one wrong byte: %d of %d%n", what, right, tried);
        assertTrue(right * 100 >= tried * LEAST_PERCENT, what + ": " + right);
    }

    private static Predicate<DetectedInput> is(Root root) {
        return input -> input.form() == DetectedInput.Form.FLATBUFFER && input.root() == root;
    }

    @Test
    void rootOfADamagedFlatbufferIsDetected() {
        var flatbuffers = OracleListing.list(TradesSample.file()).flatbuffers();
        tellsOf("footer", flatbuffers.getLast().bytes(), is(Root.FOOTER));
        tellsOf("message", flatbuffers.getFirst().bytes(), is(Root.MESSAGE));
        tellsOf("schema", dev.fletch.format.WholeTrees.full(Root.SCHEMA), is(Root.SCHEMA));
    }

    /// A stream of old writers, without continuation words.
    private static byte[] legacy(int... bodies) {
        byte[] stream = Frames.legacyFrame(Frames.schema());
        for (int each : bodies) {
            byte[] batch = Frames.legacyFrame(Frames.batch(each));
            stream = Frames.join(stream, batch, Frames.body(each));
        }
        return Frames.join(stream, Frames.LEGACY_END);
    }

    @Test
    void damagedLegacyStreamIsDetectedAsAStream() {
        byte[] stream = legacy(16, 8);
        assertEquals(List.of(), Annotated.of(stream).codes());
        tellsOf("legacy stream", stream, input -> input.form() == DetectedInput.Form.STREAM);
    }

    /// A flatbuffer that the first word of a stream happens to lead to explains but a part of it.
    @Test
    void streamWithDamagedStartIsNotDetectedAsAFlatbuffer() {
        byte[] damaged = legacy(0, 0);
        Arrays.fill(damaged, 20, 40, (byte) 0x7F);
        Annotated all = Annotated.of(damaged);
        assertEquals(DetectedInput.Form.STREAM, all.input.form());
        assertFalse(all.told.isEmpty());
    }

    // ---- what is found behind

    /// The marker is what the verifier takes for it.
    @Test
    void bytesBehindAMarkerAreShownBehindIt() throws IOException {
        int shown = 0;
        for (CorpusCase each : Corpus.cases()) {
            List<Annotated.Told> regions =
                    each.rule() == FileRule.BYTES_BEHIND_END
                            ? Annotated.of(each.broken()).regions
                            : List.of();
            for (int i = 1; i < regions.size(); i++) {
                if (regions.get(i).faults().stream().anyMatch(one -> one.rule() == each.rule())) {
                    Region before = regions.get(i - 1).region();
                    assertEquals(RegionKind.END_OF_STREAM, before.kind(), each.toString());
                    shown++;
                }
            }
        }
        assertTrue(shown > 10, "" + shown);
    }

    @Test
    void messageBehindAWrongContinuationWordIsRead() {
        byte[] sound = TradesSample.stream();
        List<Long> roots = roots(Annotated.of(sound));
        assertEquals(5, roots.size());
        for (long root : roots) {
            int word = (int) root - 8;
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                byte[] damaged = sound.clone();
                damaged[word + bit / 8] ^= (byte) (1 << bit % 8);
                Annotated all = Annotated.of(damaged);
                String where = "word=" + word + ", bit=" + bit;
                assertEquals(roots, roots(all), where);
                assertFalse(all.at(word).faults().isEmpty(), where);
                assertEquals(RegionKind.CONTINUATION, all.at(word).region().kind(), where);
            }
        }
    }

    @Test
    void streamBehindJunkIsFound() {
        byte[] sound = TradesSample.stream();
        List<Long> roots = roots(Annotated.of(sound));
        for (String junk :
                List.of(
                        "x",
                        "abc",
                        "HTTP/1.1 200 OK\r\n\r\n",
                        "12345678",
                        "\u0001\u0002",
                        "\u0003\u0000\u0000\u0000abc")) {
            byte[] bytes = junk.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            Annotated all = Annotated.of(Frames.join(bytes, sound));
            assertEquals(
                    roots.stream().map(root -> root + bytes.length).toList(), roots(all), junk);
            assertEquals(RegionKind.UNREFERENCED, all.at(0).region().kind(), junk);
            byte[] damaged = Frames.join(bytes, sound);
            Arrays.fill(damaged, bytes.length + 872, bytes.length + 880, (byte) 0x55);
            List<Long> others = new ArrayList<>(roots(all));
            others.remove(1);
            assertEquals(others, roots(Annotated.of(damaged)), junk);
            assertFalse(all.told.isEmpty(), junk);
        }
    }
}
