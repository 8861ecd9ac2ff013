// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.fbs.ArrowDeclarations;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.Flatc;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RewriteRig;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.GeneratedReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What flatc makes of JSON documents, Fletch writes as well from the flyweights over flatc's
/// output.
class FlatcDocumentsTest {
    private static final FbsDocument DECLARATIONS = ArrowDeclarations.all();
    private static final List<FlatcDocument> DOCUMENTS = FlatcDocument.all();
    private static final boolean[] FORCED = {false, true};
    private static final int LEAST_DOCUMENTS = 60;

    /// The version whose output is committed.
    private static final String VERSION = "flatc version 2.0.8";

    private final RewriteRig rig = new RewriteRig(EmissionOrder.FLATC);

    /// Flyweights don't know in which order the keys of a document stood: where it is another one
    /// than that of declaration, only the content is the same.
    @Test
    void flyweightsAreWrittenAsFlatcWrites() {
        int inOrder = 0;
        for (FlatcDocument each : DOCUMENTS) {
            boolean ordered = each.isInOrder(DECLARATIONS);
            inOrder += ordered ? 1 : 0;
            for (boolean forced : FORCED) {
                byte[] compiled = each.compiled(forced);
                byte[] written = rig.root(each.root(), compiled);
                String what = each + (forced ? ", defaults forced" : "");
                if (ordered) {
                    assertArrayEquals(compiled, written, what);
                }
                assertEquals(read(each.root(), compiled), read(each.root(), written), what);
            }
        }
        System.out.printf(
                "flatc: %d documents, %d in order of declaration%n", DOCUMENTS.size(), inOrder);
        assertTrue(inOrder >= LEAST_DOCUMENTS, "in order: " + inOrder);
        assertTrue(inOrder < DOCUMENTS.size() - 10, "not in order: too few");
    }

    private static FbsValue.Table read(String root, byte[] bytes) {
        return GeneratedReader.read(DECLARATIONS, root, ByteBuffer.wrap(bytes));
    }

    @Test
    void everyFieldOfEveryTableIsInSomeDocument() {
        Set<String> missing = new TreeSet<>();
        for (TableDecl table : DECLARATIONS.tables()) {
            missing.add(table.name());
            table.fields().forEach(field -> missing.add(table.name() + "." + field.name()));
        }
        DOCUMENTS.forEach(each -> strike(each.root(), each.content(), missing));
        assertEquals(Set.of(), missing);
    }

    private static void strike(String table, Map<String, Object> object, Set<String> missing) {
        TableDecl declaration = DECLARATIONS.table(table);
        missing.remove(table);
        object.forEach(
                (key, value) -> {
                    missing.remove(table + "." + key);
                    String below =
                            FlatcDocument.tableOf(
                                    DECLARATIONS, declaration, declaration.field(key), object);
                    if (below != null) {
                        List<?> all = value instanceof List<?> list ? list : List.of(value);
                        all.forEach(each -> strike(below, FlatcDocument.map(each), missing));
                    }
                });
    }

    /// Runs the script that made the committed output, in a copy of its folder.
    @Test
    void freshOutputIsTheCommittedOne(@TempDir Path scratch)
            throws IOException, InterruptedException {
        CaseCount.assumeFull();
        Optional<Path> flatc = Flatc.find();
        assumeTrue(flatc.isPresent(), "no flatc on PATH; skipped");
        assumeTrue(Flatc.find("bash").isPresent(), "no bash on PATH; skipped");
        String version = run(scratch, flatc.get(), "--version").strip();
        assumeTrue(version.equals(VERSION), "another flatc: " + version + "; skipped");
        Path folder = scratch.resolve("src/test/resources/flatc");
        copy(FlatcDocument.FOLDER, folder);
        copy(ArrowDeclarations.file("Schema.fbs").getParent(), scratch.resolve("format"));
        run(scratch, Flatc.find("bash").get(), folder.resolve("make.sh").toString());
        Path fresh = folder.resolve(FlatcDocument.COMPILED_FILE.getFileName());
        assertEquals(Files.readString(FlatcDocument.COMPILED_FILE), Files.readString(fresh));
    }

    /// Copies all but what flatc makes.
    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                if (!each.equals(FlatcDocument.COMPILED_FILE)) {
                    Path target = to.resolve(from.relativize(each).toString());
                    Files.createDirectories(target.getParent());
                    Files.copy(each, target);
                }
            }
        }
    }

    /// Runs a program that has to succeed.
    private static String run(Path scratch, Path program, String... arguments)
            throws IOException, InterruptedException {
        Flatc.Result result = Flatc.run(program, scratch, List.of(arguments));
        assertEquals(0, result.status(), result::output);
        return result.output();
    }
}
