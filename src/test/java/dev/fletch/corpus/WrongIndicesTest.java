// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Readers of values show a wrong index as `verify` does, with its row and dictionary: signed or
/// not, as its type is.
class WrongIndicesTest {
    private static final Pattern INDEX =
            Pattern.compile("row=\\d+, value=-?\\d+, limit=-?\\d+, dictionary=-?\\d+");

    @Test
    void readersShowTheIndexThatVerifyShows() throws IOException {
        int files = 0;
        for (Map<String, Object> row : Corpus.index().values()) {
            if (row.get("code").equals("value-dictionary-index")
                    && row.get("container").equals("file")
                    && ((String) row.get("layout")).matches("dictionary<u?int\\d+, utf8>")) {
                Path path = Corpus.FOLDER.resolve((String) row.get("file"));
                Object fault = JsonTree.array(row.get("faults")).getFirst();
                Matcher shown = INDEX.matcher((String) JsonTree.object(fault).get("text"));
                assertTrue(shown.find(), path::toString);
                assertShown(path, shown.group());
                files++;
            }
        }
        assertTrue(files > 15, "files=" + files);
    }

    private static void assertShown(Path path, String index) throws IOException {
        try (ArrowFile file = ArrowFile.open(path);
                RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.copying(file, allocator, Columns.all(), AllValuesOf.OPTIONS)) {
            List<Executable> reads =
                    List.of(() -> AllValuesOf.file(file), () -> AllValuesOf.vectors(vectors));
            for (Executable each : reads) {
                String text = assertThrows(FletchException.class, each).getMessage();
                assertTrue(text.contains(index), text);
            }
        }
    }
}
