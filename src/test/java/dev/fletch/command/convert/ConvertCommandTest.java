// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.command.WrittenOutput;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Producers;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What `fletch convert` writes, read by arrow-java and listed with the generated classes.
class ConvertCommandTest {

    // ---- what is converted

    @Test
    void arrowJavaReadsTheSameInWhatItsOwnFilesBecome() {
        int converted = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            assertSame(stream, ArrowContainer.STREAM);
            if (each.hasFile()) { // no dictionary is replaced
                assertSame(assertSame(stream, ArrowContainer.FILE), ArrowContainer.STREAM);
                assertSame(each.file(), ArrowContainer.STREAM);
                assertSame(each.file(), ArrowContainer.FILE);
            }
            converted++;
        }
        System.out.printf("convert: %d cases of arrow-vector, to files and streams%n", converted);
    }

    /// @return what is written
    private static byte[] assertSame(byte[] input, ArrowContainer to) {
        byte[] written = Converted.of(input, to, false).bytes();
        WrittenOutput.check(input, written, List.of(), false);
        assertEquals(Converted.contents(input), Converted.contents(written));
        for (OracleMessage each : OracleListing.list(written).messages()) {
            assertEquals(8, each.prefixLength());
            assertEquals(0, each.bodyOffset() % 8);
        }
        return written;
    }

    @Test
    void messagesOfGoldensAndProducersAreCopiedByteForByte() throws IOException {
        List<Path> inputs = new ArrayList<>(Goldens.all());
        try (Stream<Path> files = Files.list(Producers.folder())) {
            files.filter(each -> each.toString().contains(".arrow")).sorted().forEach(inputs::add);
        }
        int messages = 0;
        for (Path each : inputs) {
            byte[] bytes = Files.readAllBytes(each);
            for (ArrowContainer to : ArrowContainer.values()) {
                List<String> batches = Converted.of(bytes, to, false).contents();
                assertEquals(listed(each), batches, each.toString());
                messages += batches.size();
            }
        }
        System.out.printf("convert: %d inputs, %d messages compared%n", inputs.size(), messages);
    }

    /// Metadata and bodies of the batches, by the places that `ls` lists; dictionaries come first.
    private static List<String> listed(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Object listing = Cli.run("ls", "--json", file.toString()).json().getFirst();
        List<String> dictionaries = new ArrayList<>();
        List<String> batches = new ArrayList<>();
        for (Object each : JsonTree.array(JsonTree.object(listing).get("messages"))) {
            var message = JsonTree.object(each);
            long at = (long) message.get("offset") + (long) message.get("prefixLength");
            long length = (long) message.get("metadataLength");
            String text = Converted.content(bytes, at, length, (long) message.get("bodyLength"));
            if (message.get("kind").equals("DictionaryBatch")) {
                dictionaries.add(text);
            } else if (message.get("kind").equals("RecordBatch")) {
                batches.add(text);
            }
        }
        boolean isFile = JsonTree.object(listing).get("container").equals("file");
        if (!isFile) { // which keeps its order
            return Converted.contents(bytes);
        }
        dictionaries.addAll(batches);
        return dictionaries;
    }

    // ---- what is refused

    /// Neither where the end of the file leads to it, nor where the messages end.
    @Test
    void footerOverTheLimitIsNotUsed() throws IOException {
        byte[] bytes = CaseFile.input("other bytes assembled(8 \"dictionary_int8\" no-schema)");
        int footer = OracleListing.list(bytes).footer().length();
        for (boolean isEndDamaged : new boolean[] {false, true}) {
            bytes[bytes.length - 1] ^= (byte) (isEndDamaged ? 1 : 0);
            convert(bytes, footer + FileTail.BYTES);
            FletchException refused =
                    assertThrows(FletchException.class, () -> convert(bytes, footer - 1));
            assertTrue(refused.getMessage().contains("no schema found"), refused.getMessage());
        }
    }

    private static void convert(byte[] input, long metadataBytes) throws IOException {
        Limits limits = Limits.DEFAULT.withMetadataBytes(metadataBytes);
        Arrow.convert(
                MemorySegment.ofArray(input),
                Channels.newChannel(OutputStream.nullOutputStream()),
                ConvertOptions.DEFAULT
                        .withTarget(ArrowContainer.STREAM)
                        .withReading(ReadOptions.DEFAULT.withLimits(limits)));
    }
}
