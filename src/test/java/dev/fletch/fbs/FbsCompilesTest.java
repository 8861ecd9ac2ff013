// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The FlatBuffers compiler takes the project's files, and understands by them what [FbsParser]
/// does.
class FbsCompilesTest {
    static final List<String> FILES = FbsParser.ARROW_FILES;

    private static final List<String> OUTPUTS =
            List.of("--cpp --scoped-enums", "--java", "--python", "--jsonschema", "-b --schema");

    private static Path flatc;

    @TempDir Path scratch;

    @BeforeAll
    static void findCompiler() {
        Optional<Path> found = Flatc.find();
        assumeTrue(
                found.isPresent(),
                "flatc is not on PATH (Debian: package flatbuffers-compiler): nothing compared");
        flatc = found.orElseThrow();
    }

    static Stream<Arguments> filesByOutput() {
        return FILES.stream()
                .flatMap(file -> OUTPUTS.stream().map(output -> Arguments.of(file, output)));
    }

    @ParameterizedTest
    @MethodSource("filesByOutput")
    void compiles(String file, String output) throws Exception {
        compile(file, output);
    }

    @ParameterizedTest
    @FieldSource("FILES")
    void flatcSeesWhatTheParserSees(String file) throws Exception {
        FbsDocument parsed = FbsParser.parse(FbsParser.arrowFile(file));
        FbsDocument compiled = reflect(file);
        assertEquals(parsed.namespace(), compiled.namespace());
        assertEquals(parsed.roots().get(file), compiled.roots().get(file));
        assertSame(parsed, compiled, FbsDocument::enums, EnumDecl::name);
        assertSame(parsed, compiled, FbsDocument::unions, UnionDecl::name);
        assertSame(parsed, compiled, FbsDocument::structs, StructDecl::name);
        assertSame(parsed, compiled, FbsDocument::tables, TableDecl::name);
    }

    @Test
    void theFilesTogetherAreTheWholeFormat() throws Exception {
        Set<String> compiled = new HashSet<>();
        for (String file : FILES) {
            reflect(file).tables().forEach(each -> compiled.add(each.name()));
        }
        FbsDocument all = FbsParser.parseArrowFormat();
        assertEquals(
                all.tables().stream().map(TableDecl::name).collect(Collectors.toSet()), compiled);
        printCounts(all);
    }

    private static void printCounts(FbsDocument all) {
        System.out.printf(
                "format/*.fbs against flatc: %d tables with %d slots, %d structs, %d enums with %d"
                        + " values, %d unions with %d members%n",
                all.tables().size(),
                all.tables().stream().mapToInt(TableDecl::slotCount).sum(),
                all.structs().size(),
                all.enums().size(),
                all.enums().stream().mapToInt(each -> each.values().size()).sum(),
                all.unions().size(),
                all.unions().stream().mapToInt(each -> each.members().size()).sum());
    }

    /// Compares one by one first, as a difference of single declarations is easier to read.
    private static <T> void assertSame(
            FbsDocument parsed,
            FbsDocument compiled,
            Function<FbsDocument, List<T>> part,
            Function<T, String> name) {
        List<T> expected = sorted(part.apply(compiled), name);
        List<T> actual = sorted(part.apply(parsed), name);
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertEquals(expected.get(i), actual.get(i));
        }
        assertEquals(expected, actual);
    }

    private static <T> List<T> sorted(List<T> declarations, Function<T, String> name) {
        return declarations.stream().sorted(Comparator.comparing(name)).toList();
    }

    private FbsDocument reflect(String file) throws IOException, InterruptedException {
        compile(file, "-b --schema");
        Path bfbs = scratch.resolve(file.replace(".fbs", ".bfbs"));
        return BfbsReader.read(file, Files.readAllBytes(bfbs));
    }

    private void compile(String file, String output) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(Arrays.asList(output.split(" ")));
        arguments.addAll(List.of("-o", scratch.toString(), FbsParser.arrowFile(file).toString()));
        Flatc.Result result = Flatc.run(flatc, scratch, arguments);
        assertEquals(0, result.status(), () -> "flatc " + arguments + "\n" + result.output());
    }
}
