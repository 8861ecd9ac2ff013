// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The FlatBuffers compiler accepts the project's files, and the tests read what it makes of them.
class FbsCompilesTest {
    static final List<String> FILES = ArrowDeclarations.FILES;

    private static final List<String> OUTPUTS =
            List.of("--cpp --scoped-enums", "--java", "--python", "--jsonschema", "-b --schema");

    @TempDir Path scratch;

    private static Path compiler() {
        Optional<Path> found = Flatc.find();
        assumeTrue(
                found.isPresent(),
                "flatc is not on PATH (Debian: package flatbuffers-compiler): nothing compared");
        return found.orElseThrow();
    }

    static Stream<Arguments> filesByOutput() {
        return FILES.stream()
                .flatMap(file -> OUTPUTS.stream().map(output -> Arguments.of(file, output)));
    }

    @ParameterizedTest
    @MethodSource("filesByOutput")
    void flatcCompilesTheDeclarations(String file, String output) throws Exception {
        compile(file, output);
    }

    /// The compiled declarations that the tests read are those of the sources.
    @ParameterizedTest
    @FieldSource("FILES")
    void declarationsAreCompiledFromTheSources(String file) throws Exception {
        byte[] source = Files.readAllBytes(ArrowDeclarations.file(file));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(source);
        assertEquals(
                HexFormat.of().formatHex(digest),
                ArrowDeclarations.compiled().get(file).sha256(),
                "run src/test/resources/flatc/make.sh");
    }

    private void compile(String file, String output) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(Arrays.asList(output.split(" ")));
        arguments.addAll(
                List.of("-o", scratch.toString(), ArrowDeclarations.file(file).toString()));
        Flatc.Result result = Flatc.run(compiler(), scratch, arguments);
        assertEquals(0, result.status(), () -> "flatc " + arguments + "\n" + result.output());
    }
}
