// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.format.Verifier.Root;
import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/// Base64 that is damaged, or has something around it.
class AnnotateBase64Test {
    private static Run run(byte[] input) {
        return Cli.runWithInput(input, "annotate", "-");
    }

    /// One wrong character costs what it stands for, not what is behind it.
    @Test
    void base64IsReadBehindAWrongCharacter() throws IOException {
        byte[] stream = Files.readAllBytes(TradesSample.path("trades.stream"));
        String text = Base64.getEncoder().encodeToString(stream);
        String damaged = text.substring(0, 1400) + "!" + text.substring(1401);
        Run run = run(damaged.getBytes(StandardCharsets.US_ASCII));
        assertEquals(1, run.status());
        assertTrue(run.out().contains("not-base64: offset=1050: "), run.out());
        assertTrue(run.out().contains("character=1400"), run.out());
        assertTrue(run.out().contains("\nmessage 4: RecordBatch, "), run.out());
    }

    /// Where the kind is told, the text may as well be a damaged flatbuffer: it is taken as it is.
    @Test
    void damagedBase64IsNotDecodedIfTheRootIsGiven() {
        String text = Base64.getEncoder().encodeToString(Frames.emptySchema());
        byte[] sound = text.getBytes(StandardCharsets.US_ASCII);
        byte[] damaged = (text.substring(0, 40) + "!!" + text.substring(42)).getBytes();
        assertNotNull(input(sound, null).base64());
        assertNotNull(input(damaged, null).base64());
        assertNull(input(damaged, Root.MESSAGE).base64());
    }

    private static DetectedInput input(byte[] bytes, Root root) {
        return AnnotateInput.of(MemorySegment.ofArray(bytes), root);
    }

    /// Where the text breaks off, what does not fit any more is in front of it.
    @Test
    void damagedCharacterIsTheFirstFault() {
        String text = Base64.getEncoder().encodeToString(Frames.emptySchema());
        byte[] damaged = (text.substring(0, 40) + "!!" + text.substring(42)).getBytes();
        Run run = run(damaged);
        assertEquals(
                "base64, damaged at character 40, of: stream, 30 bytes", run.lines().getFirst());
        Run json = Cli.runWithInput(damaged, "annotate", "--json", "-");
        List<?> faults = (List<?>) JsonTree.object(json.json().getFirst()).get("faults");
        List<Object> codes = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        for (Object each : faults) {
            codes.add(JsonTree.object(each).get("code"));
            offsets.add((Long) JsonTree.object(each).get("offset"));
        }
        assertEquals("not-base64", codes.getFirst());
        assertEquals(1, Collections.frequency(codes, "not-base64"));
        List<Long> rest = offsets.subList(1, offsets.size());
        assertEquals(rest.stream().sorted().toList(), rest);
        assertTrue(rest.getFirst() < offsets.getFirst(), offsets::toString);
    }

    @Test
    void base64IsFoundAmongQuotesAndKeys() {
        byte[] schema = Frames.emptySchema();
        String text = Base64.getEncoder().encodeToString(schema);
        String sound = run(text.getBytes(StandardCharsets.UTF_8)).out();
        assertTrue(sound.startsWith("base64 of: encapsulated message"), sound);
        for (String each :
                List.of(
                        "\ufeff" + text,
                        '"' + text + "\"\n",
                        "'" + text + "'",
                        "ARROW:schema=" + text,
                        "\ufeffARROW:schema=\"" + text + '"')) {
            Run run = run(each.getBytes(StandardCharsets.UTF_8));
            assertEquals(sound, run.out(), each);
            assertEquals(0, run.status(), each);
        }
    }
}
