// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.fletch.fbs.ArrowDeclarations;
import dev.fletch.fbs.Flatc;
import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Compiles a C++ program with the headers that flatc makes of `format/`. What was made is kept
/// beside the test classes under a name made of all that went in, so that it is made once.
public final class CppBuild {
    /// With this set, a machine that lacks a tool fails the tests instead of skipping them.
    private static final boolean REQUIRED = Boolean.getBoolean("fletch.differential.required");

    private static final List<String> OPTIONS =
            List.of("-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread");

    private final Path source;
    private final List<String> options = new ArrayList<>(OPTIONS);

    private CppBuild(Path source, List<String> more) {
        this.source = source;
        options.addAll(more);
    }

    /// Returns the program. Skips the calling test, with the reason, where a tool is missing.
    ///
    /// @param source the one file it is made of, from the repository's root
    /// @param options for g++, besides those for every program
    public static synchronized Path program(String source, String... options) throws IOException {
        return new CppBuild(Goldens.repositoryRoot().resolve(source), List.of(options)).program();
    }

    private Path program() throws IOException {
        Path flatc = tool("flatc", "flatbuffers-compiler");
        Path gpp = tool("g++", "g++");
        Path folder = testClasses().resolveSibling("cpp-verifier");
        Files.createDirectories(folder);
        Path scratch = Files.createTempDirectory(folder, "build-");
        try {
            requireHeaders(gpp, scratch);
            Path program = folder.resolve(name() + "-" + fingerprint(flatc, gpp, scratch));
            if (!Files.isExecutable(program)) {
                publish(compile(flatc, gpp, scratch), program);
            }
            return program;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while compiling", e);
        } finally {
            delete(scratch);
        }
    }

    private static Path tool(String name, String debianPackage) {
        return Flatc.find(name).orElseGet(() -> missing(name + " on PATH", debianPackage));
    }

    private static void requireHeaders(Path gpp, Path scratch)
            throws IOException, InterruptedException {
        Path probe =
                Files.writeString(
                        scratch.resolve("probe.cpp"), "#include <flatbuffers/flatbuffers.h>\n");
        List<String> arguments =
                List.of("-E", "-o", scratch.resolve("probe.ii").toString(), probe.toString());
        if (Flatc.run(gpp, scratch, arguments).status() != 0) {
            missing("flatbuffers/flatbuffers.h", "libflatbuffers-dev");
        }
    }

    private static <T> T missing(String what, String debianPackage) {
        String reason =
                "no %s (Debian: package %s): nothing compared with the C++ verifier"
                        .formatted(what, debianPackage);
        if (REQUIRED) {
            throw new AssertionError(reason);
        }
        return abort(reason);
    }

    /// Changes with the sources, the options and the tools.
    private String fingerprint(Path flatc, Path gpp, Path scratch)
            throws IOException, InterruptedException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        for (Path tool : List.of(flatc, gpp)) {
            digest.update(Flatc.run(tool, scratch, List.of("--version")).output().getBytes());
        }
        digest.update(options.toString().getBytes());
        digest.update(Files.readAllBytes(source));
        for (String file : ArrowDeclarations.FILES) {
            digest.update(Files.readAllBytes(ArrowDeclarations.file(file)));
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private Path compile(Path flatc, Path gpp, Path scratch)
            throws IOException, InterruptedException {
        List<String> generate =
                new ArrayList<>(List.of("--cpp", "--scoped-enums", "-o", scratch.toString()));
        ArrowDeclarations.FILES.forEach(
                file -> generate.add(ArrowDeclarations.file(file).toString()));
        run(flatc, scratch, generate);
        Path made = scratch.resolve(name());
        List<String> compile = new ArrayList<>(options);
        compile.addAll(List.of("-I", scratch.toString(), "-o", made.toString(), source.toString()));
        run(gpp, scratch, compile);
        return made;
    }

    private static void run(Path tool, Path scratch, List<String> arguments)
            throws IOException, InterruptedException {
        Flatc.Result result = Flatc.run(tool, scratch, arguments);
        assertEquals(0, result.status(), () -> tool + " " + arguments + "\n" + result.output());
    }

    /// Another process may have been faster: then both made the same.
    private static void publish(Path made, Path program) throws IOException {
        try {
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException e) {
            Files.delete(made);
        }
    }

    private String name() {
        return source.getFileName().toString().replace(".cpp", "");
    }

    private static Path testClasses() {
        try {
            return Path.of(
                    CppBuild.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
