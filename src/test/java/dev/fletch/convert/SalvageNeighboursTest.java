// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.EditedInput;
import dev.fletch.testdata.EditedInput.Edit;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.ProducerStyle;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Batches that lost or gained bytes are left out, and their sound neighbours are saved.
class SalvageNeighboursTest {
    @TempDir Path folder;

    private static byte[] edited(byte[] sound, Edit edit, long at, int size) {
        EditedInput input = new EditedInput(sound);
        input.apply(edit, (int) at, size, new SplittableRandom(1));
        return input.bytes();
    }

    private static List<Long> rows(byte[] bytes) {
        return OracleListing.list(bytes).recordBatches().stream().map(OracleMessage::rows).toList();
    }

    private static List<Long> saved(byte[] damaged) {
        return rows(Converted.of(damaged, ArrowContainer.STREAM, true).bytes());
    }

    private static List<OracleMessage> batches(byte[] sound) {
        return OracleListing.list(sound).recordBatches();
    }

    /// The old end of the first batch covers the start of the second.
    @Test
    void aBatchBehindAHoleIsNotTakenForAPartOfTheOneBefore() {
        byte[] file = TradesSample.file();
        OracleMessage first = batches(file).getFirst();
        byte[] damaged = edited(file, Edit.REMOVE, first.endOffset() - 8, 8);
        Converted saved = Converted.of(damaged, ArrowContainer.FILE, true);
        assertEquals(List.of(400L, 150L), rows(saved.bytes()));
        String reason = saved.report().leftOut().getFirst().placed();
        String next = "message overlaps the next message: next=" + (first.endOffset() - 8);
        assertEquals("message 2: offset " + first.offset() + ": " + next, reason);
    }

    /// A tiny message, such as damage may contain, claims a body as long as the next batch.
    @Test
    void aMessageInsideDamageDoesNotSwallowTheBatchBehindIt() {
        byte[] stream = TradesSample.stream();
        List<OracleMessage> all = batches(stream);
        // A prefix of 4 bytes and a Message table of 28 bytes with a body length.
        byte[] tiny = new byte[40];
        int[] words = {32, 16, 0x000C_0000, 0x0008_000C, 0, 8, 0, 5_000, 0};
        for (int i = 0; i < words.length; i++) {
            for (int b = 0; b < 4; b++) {
                tiny[4 * i + b] = (byte) (words[i] >>> 8 * b);
            }
        }
        byte[] damaged = stream.clone();
        OracleMessage first = all.getFirst();
        Arrays.fill(damaged, (int) first.offset(), (int) first.bodyOffset(), (byte) 0x55);
        int at = (int) first.endOffset() - tiny.length;
        System.arraycopy(tiny, 0, damaged, at, tiny.length);
        assertEquals(List.of(400L, 150L), saved(damaged));
    }

    /// Bytes between two messages may have been inserted behind the first one, or into it.
    @Test
    void aDoubtfulBatchIsKeptOnlyIfAskedFor() throws IOException {
        byte[] stream = TradesSample.stream();
        OracleMessage first = batches(stream).getFirst();
        byte[] damaged = edited(stream, Edit.INSERT_RANDOM, first.endOffset(), 5);
        Converted without = Converted.of(damaged, ArrowContainer.STREAM, true);
        assertEquals(List.of(400L, 150L), rows(without.bytes()));
        String reason = without.report().leftOut().getFirst().placed();
        String text = "bytes belong to no message: behind this message or in it, bytes=5";
        assertEquals("message 2: offset " + first.offset() + ": " + text, reason);

        var out = new ByteArrayOutputStream();
        ConversionReport report =
                Arrow.convert(
                        MemorySegment.ofArray(damaged),
                        Channels.newChannel(out),
                        ConvertOptions.DEFAULT.keepingDoubtful());
        assertEquals(List.of(250L, 400L, 150L), rows(out.toByteArray()));
        assertTrue(report.notes().contains(reason + "; the message is kept"), report.toString());

        Path in = Files.write(folder.resolve("in.arrows"), damaged);
        String to = folder.resolve("out.arrows").toString();
        Run run = Cli.runAlone("convert", "--salvage", "--keep-doubtful", in.toString(), to);
        assertEquals(1, run.status(), run.err());
        assertTrue(run.err().contains("rows=800"), run.err());
        Run alone = Cli.runAlone("convert", "--keep-doubtful", in.toString(), to);
        assertEquals(2, alone.status());
        assertTrue(alone.err().contains("--keep-doubtful needs --salvage"), alone.err());
    }

    @ParameterizedTest
    @EnumSource
    void soundInputsOfAllProducersAreSavedCompletely(ProducerStyle style) {
        byte[] stream = style.stream();
        Converted saved = Converted.of(stream, ArrowContainer.STREAM, true);
        assertEquals(Converted.contents(stream), saved.contents());
        assertEquals(0, saved.report().leftOutCount());
        assertEquals(List.of(), saved.report().notes());
    }
}
