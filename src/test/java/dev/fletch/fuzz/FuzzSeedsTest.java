// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.differential.CraftedBuffers;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.schema.SchemaJson;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.testdata.RandomTables;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// What fuzzing starts from: small inputs in the resources, made here. Beside them lie those that
/// once were found, which nobody makes.
///
/// Written anew with `-Dfletch.fuzz.writeSeeds=true`.
class FuzzSeedsTest {
    private static final String RESOURCES = "src/test/resources/dev/fletch/fuzz";
    private static final boolean WRITES = Boolean.getBoolean("fletch.fuzz.writeSeeds");
    private static final long[] RANDOM = {2, 5};
    private static final byte[] LEAST = CraftedBuffers.least();
    private static final String REAL = "dictionary_int8";
    private static final int MAX_BYTES = 4_000;

    /// By folder and name.
    private final SortedMap<String, byte[]> seeds = new TreeMap<>();

    @Test
    void committedSeedsAreTheGeneratedOnes() throws IOException {
        verifySeeds();
        streamSeeds();
        fileSeeds();
        jsonSeeds();
        annotateSeeds();
        for (var each : seeds.entrySet()) {
            Path file = Goldens.repositoryRoot().resolve(RESOURCES).resolve(each.getKey());
            assertTrue(each.getValue().length <= MAX_BYTES, each.getKey());
            if (WRITES) {
                Files.createDirectories(file.getParent());
                Files.write(file, each.getValue());
            }
            assertTrue(Files.exists(file), () -> "missing: " + file);
            assertArrayEquals(each.getValue(), Files.readAllBytes(file), each.getKey());
        }
        assertFalse(WRITES, "written: " + seeds.size() + " seeds");
    }

    private void verifySeeds() {
        String folder = "VerifyFuzzTestInputs/verifiedBytesCanBeRead/";
        for (Root root : Root.values()) {
            String name = folder + root.table().toLowerCase(Locale.ROOT);
            seeds.put(name + "-full", verifySeed(root, WholeTrees.full(root)));
            for (long seed : RANDOM) {
                byte[] random = RandomTables.bytes(root.table(), seed);
                seeds.put(name + "-random-" + seed, verifySeed(root, random));
            }
        }
        seeds.put(folder + "least", verifySeed(Root.SCHEMA, LEAST));
        seeds.put(folder + "bomb", verifySeed(Root.SCHEMA, CraftedBuffers.bomb(9, 2)));
        seeds.put(folder + "chain", verifySeed(Root.SCHEMA, CraftedBuffers.chain(20)));
        seeds.put(
                folder + "overlap", verifySeed(Root.SCHEMA, CraftedBuffers.overlappingStrings(9)));
        seeds.put(folder + "batch", verifySeed(Root.MESSAGE, LargeSchemas.recordBatchMessage(3)));
    }

    private static byte[] verifySeed(Root root, byte[] bytes) {
        return kind(root.ordinal(), bytes);
    }

    private void streamSeeds() {
        String folder = "FramingFuzzTestInputs/streamsInMemoryAndFromASource/";
        seeds.put(folder + "empty", new byte[0]);
        seeds.put(folder + "stream", FileAround.stream(true));
        seeds.put(folder + "legacy", FileAround.stream(false));
        seeds.put(folder + "real", ArrowVectorFiles.named(REAL).stream());
    }

    private void fileSeeds() {
        byte[] file = ArrowVectorFiles.named(REAL).file();
        byte[] footer = OracleListing.list(file).flatbuffers().getLast().bytes();
        seeds.put("FileFuzzTestInputs/wholeFiles/real", file);
        seeds.put("FileFuzzTestInputs/wholeFiles/no-blocks", FileAround.footer(LEAST));
        seeds.put("FileFuzzTestInputs/footers/real", footer);
        seeds.put("FileFuzzTestInputs/footers/full", WholeTrees.full(Root.FOOTER));
        seeds.put("FileFuzzTestInputs/footers/least", LEAST);
    }

    private void jsonSeeds() {
        String folder = "JsonFuzzTestInputs/schemas/";
        for (long seed : RANDOM) {
            seeds.put(folder + "random-" + seed, utf8(SchemaJson.text(RandomSchemas.schema(seed))));
        }
        seeds.put(
                folder + "file",
                utf8(
                        """
                        {"schema": {"fields": [
                          {"name": "d", "type": {"name": "decimal", "precision": 5, "scale": 2},
                           "nullable": false, "children": []},
                          {"name": "u", "type": {"name": "union", "mode": "Dense", "typeIds": []},
                           "nullable": true, "children": [],
                           "dictionary": {"id": 0, "indexType": null, "isOrdered": true}}],
                          "metadata": [{"key": "ARROW:extension:name", "value": "x"}]},
                         "dictionaries": [{"id": 0, "data": {"count": 0, "columns": []}}],
                         "batches": [{"count": 1, "columns": [{"DATA": ["1.5e9", null]}]}]}
                        """));
        seeds.put(folder + "deep", utf8("{\"x\":[".repeat(60)));
        String metadata = "JsonFuzzTestInputs/extensionMetadata/";
        seeds.put(
                metadata + "fixed",
                utf8("{\"shape\":[2,3],\"permutation\":[1,0],\"dim_names\":[\"C\",\"H\"]}"));
        seeds.put(
                metadata + "variable",
                utf8(
                        "{\"permutation\":[1,0],\"dim_names\":[\"a\",\"b\"],"
                                + "\"uniform_shape\":[null,3]}"));
        seeds.put(
                metadata + "opaque",
                utf8("{\"type_name\":\"t\",\"vendor_name\":\"v\",\"x\":{\"y\":[1e9]}}"));
        seeds.put(metadata + "empty", utf8("{}"));
    }

    private void annotateSeeds() {
        String folder = "AnnotateFuzzTestInputs/anyBytesAreTakenApart/";
        for (Root root : Root.values()) {
            String name = folder + root.table().toLowerCase(Locale.ROOT);
            seeds.put(name, kind(1 + root.ordinal(), WholeTrees.full(root)));
        }
        seeds.put(folder + "bomb", kind(1 + Root.SCHEMA.ordinal(), CraftedBuffers.bomb(9, 2)));
        seeds.put(folder + "stream", kind(0, FileAround.stream(true)));
        seeds.put(folder + "legacy", kind(0, FileAround.stream(false)));
        seeds.put(folder + "file", kind(0, FileAround.footer(LEAST)));
        byte[] base64 = Base64.getEncoder().encode(LargeSchemas.schemaMessage(1));
        seeds.put(folder + "base64", kind(0, base64));
    }

    private static byte[] kind(int kind, byte[] bytes) {
        return ByteBuffer.allocate(1 + bytes.length).put((byte) kind).put(bytes).array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
