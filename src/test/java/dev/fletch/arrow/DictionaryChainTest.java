// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.command.Cli;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.scan.FileScan;
import dev.fletch.testdata.ArrowBytes;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An invalid schema may have thousands of dictionaries each of whose values need the next one,
/// while no field is deeper than two levels. None of them overflows the stack or takes long.
@Timeout(60)
class DictionaryChainTest {
    private static final int DICTIONARIES = 10_000;

    @TempDir static Path folder;
    private static byte[] input;
    private static Path file;

    /// Column n has dictionary n: structs of values of dictionary n + 1. The last column comes
    /// first: it says what the values of its dictionary are.
    @BeforeAll
    static void write() throws Exception {
        StringBuilder text = new StringBuilder("let i = Int(bitWidth=8 is_signed=1)\nstream <");
        for (int id = DICTIONARIES; id > 0; id--) {
            text.append(" c%d:Struct_<x:i%s>%s".formatted(id, encoded(id + 1), encoded(id)));
        }
        text.append('>');
        for (int id = 1; id <= DICTIONARIES; id++) {
            text.append(" | dictionary %d 1 [1 1] [- - i8(0)]".formatted(id));
        }
        input = CaseFile.input(text.toString());
        file = Files.write(folder.resolve("chain.arrows"), input);
    }

    private static String encoded(int id) {
        return "{dictionary=DictionaryEncoding(id=" + id + " indexType=i)}";
    }

    @Test
    void conversionNamesTheInvalidSchema() {
        for (ConvertOptions options :
                List.of(ConvertOptions.DEFAULT, ConvertOptions.DEFAULT.salvaging())) {
            assertRule(MeaningRule.DICTIONARY_TYPE, () -> ArrowBytes.converted(input, options));
        }
    }

    @Test
    void verificationNamesTheInvalidSchema() {
        ReadOptions options = ReadOptions.VERIFY.withLevel(Level.VALUES);
        assertTrue(ArrowBytes.rules(input, options).contains(MeaningRule.DICTIONARY_TYPE));
    }

    @Test
    void aLayoutOfOneColumnHasTheDictionariesThatItNeeds() {
        Message message = new Message();
        new EncapsulatedMessage().wrap(MemorySegment.ofArray(input), 0, message);
        Schema schema = new Schema();
        message.header(schema);
        BatchLayout all = BatchLayout.compile(schema, MetadataVersion.V5);
        assertEquals(DICTIONARIES + 1, all.dictionaryCount());
        assertEquals(DICTIONARIES + 1, all.choose(List.of("c1")).dictionaryCount());
    }

    @Test
    void commandsAndScansListTheInput() {
        new FileScan().of(file.toString());
        for (String command : List.of("ls", "count", "columns", "map", "schema", "head")) {
            Cli.Run run = Cli.run(command, file.toString());
            assertTrue(run.status() < 2, command + ": " + run.err());
        }
    }
}
