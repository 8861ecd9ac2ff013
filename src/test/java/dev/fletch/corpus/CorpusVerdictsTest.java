// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.FaultSink;
import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.JsonTree;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.remote.RangeSource;
import dev.fletch.testdata.CaseCount;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A verifier finds in each file of the corpus what the index says, in this order, and nothing in
/// the sound twins. Reads the files as they are committed, so that a fault of Fletch that changes a
/// file and its verdict in the same way is found.
class CorpusVerdictsTest {
    private static final long MOST_BYTES = 64 << 20;

    /// Options that check everything.
    static final ReadOptions STRICT =
            ReadOptions.VERIFY
                    .withChecks(Checks.STRICT.enabled())
                    .withLevel(Level.VALUES)
                    .withDecompressedBytes(MOST_BYTES);

    // A note on how a sound input is written.
    private static final String NO_END_MARKER = "no-end-marker";

    /// Where a verifier reads from.
    enum Source {
        PATH {
            @Override
            void verify(Path file, FaultSink found) throws IOException {
                Arrow.verify(file, STRICT, found::accept);
            }
        },
        MEMORY_SEGMENT {
            @Override
            void verify(Path file, FaultSink found) throws IOException {
                MemorySegment bytes = MemorySegment.ofArray(Files.readAllBytes(file));
                Arrow.verify(bytes, STRICT, found::accept);
            }
        },
        INPUT_STREAM {
            @Override
            void verify(Path file, FaultSink found) throws IOException {
                ByteArrayInputStream bytes = new ByteArrayInputStream(Files.readAllBytes(file));
                Arrow.verify(bytes, STRICT, found::accept);
            }
        },
        RANGE_SOURCE {
            @Override
            void verify(Path file, FaultSink found) throws IOException {
                Arrow.verify(RangeSource.open(file), STRICT, found::accept);
            }
        };

        abstract void verify(Path file, FaultSink found) throws IOException;

        final List<String> faults(String file) throws IOException {
            List<String> faults = new ArrayList<>();
            verify(
                    Corpus.FOLDER.resolve(file),
                    each -> faults.add(line(JsonTree.object(JsonTree.parse(each.toJson())))));
            return faults;
        }
    }

    private static String line(Map<String, Object> fault) {
        return fault.get("code")
                + " message="
                + fault.get("message")
                + " path="
                + fault.get("path")
                + " offset="
                + fault.get("offset")
                + ": "
                + fault.get("text");
    }

    @ParameterizedTest
    @EnumSource
    void eachFileHasTheFaultsOfTheIndex(Source source) throws IOException {
        Map<String, Map<String, Object>> index = Corpus.index();
        for (Map.Entry<String, Map<String, Object>> each : index.entrySet()) {
            List<String> expected =
                    JsonTree.array(each.getValue().get("faults")).stream()
                            .map(fault -> line(JsonTree.object(fault)))
                            .toList();
            assertEquals(expected, source.faults(each.getKey()), each.getKey());
        }
        CaseCount.report("Faults of the corpus, from %s: %d files", source, index.size());
    }

    /// A limit refuses messages, and does not hide them.
    @Test
    void limitsOfBodiesHideNoMessages() throws IOException {
        ReadOptions limited = ReadOptions.VERIFY.withLimits(Limits.DEFAULT.withBodyBytes(0));
        for (String each : Corpus.index().keySet()) {
            Path file = Corpus.FOLDER.resolve(each);
            CheckReport all = Arrow.verify(file, ReadOptions.VERIFY, _ -> {});
            CheckReport found = Arrow.verify(file, limited, _ -> {});
            assertEquals(all.messages(), found.messages(), each);
            assertEquals(all.recordBatches(), found.recordBatches(), each);
        }
    }

    @ParameterizedTest
    @EnumSource
    void soundTwinsHaveNoFaults(Source source) throws IOException {
        List<Object> twins =
                Corpus.index().values().stream().map(row -> row.get("base")).distinct().toList();
        for (Object each : twins) {
            List<String> found = source.faults((String) each);
            found.removeIf(fault -> fault.startsWith(NO_END_MARKER));
            assertEquals(List.of(), found, (String) each);
        }
        CaseCount.report("Sound twins, from %s: %d files", source, twins.size());
    }
}
