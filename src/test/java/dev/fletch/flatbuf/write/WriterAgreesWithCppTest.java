// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

/// The same calls in the same order give the bytes of the official builder for C++.
class WriterAgreesWithCppTest {
    private static final int SCRIPTS = CaseCount.of(1_500, 100_000);

    @Test
    void randomCallsGiveTheOfficialBytes(@TempDir Path folder) throws Exception {
        FlatBufferWriter writer = new FlatBufferWriter();
        int differingDialects = 0;
        try (WriterCppOracle oracle = WriterCppOracle.start(folder)) {
            for (int seed = 0; seed < SCRIPTS; seed++) {
                WriterScript script = WriterScripts.random(seed);
                byte[] official = oracle.write(script);
                if (!Arrays.equals(official, WriterReplay.write(writer.reset(), script))) {
                    fail(oracle, writer, seed, script);
                }
                if (!Arrays.equals(official, WriterOfficial.write(script))) {
                    differingDialects++;
                }
            }
        }
        CaseCount.report(
                "C++ builder: %d scripts agree; for %d the Java builder differs",
                SCRIPTS, differingDialects);
        assertTrue(differingDialects > SCRIPTS / 100, "the dialects are not told apart");
    }

    private static void fail(
            WriterCppOracle oracle, FlatBufferWriter writer, int seed, WriterScript script)
            throws IOException {
        WriterScript smallest =
                WriterScript.shrink(
                        script,
                        each ->
                                !Arrays.equals(
                                        official(oracle, each),
                                        WriterReplay.write(writer.reset(), each)));
        assertArrayEquals(
                oracle.write(smallest),
                WriterReplay.write(writer.reset(), smallest),
                () -> "seed " + seed + ", shrunk to " + smallest);
    }

    private static byte[] official(WriterCppOracle oracle, WriterScript script) {
        try {
            return oracle.write(script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
