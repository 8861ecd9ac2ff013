// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.command.Main;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The command `fletch` in a process of its own: the classes of this build, or the command's jar if
/// it has been built from them. As `./fletch`, the jar starts with an AOT cache, which makes it
/// several times as fast.
public final class FletchProcess {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /// Options that the cache is made and used with.
    private static final List<String> QUICK =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> PROGRAM = program();

    private FletchProcess() {}

    /// The start of a command line, to which the arguments of `fletch` are added.
    ///
    /// @param options of the JVM
    public static List<String> command(String... options) {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(QUICK);
        command.addAll(List.of(options));
        command.addAll(PROGRAM);
        return command;
    }

    /// [#command] for a shell.
    public static String quoted() {
        return "'" + String.join("' '", command()) + "'";
    }

    private static List<String> program() {
        String main = Main.class.getName();
        try {
            Path classes =
                    Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path jar = jar(classes);
            if (jar == null) {
                return List.of("-cp", System.getProperty("java.class.path"), main);
            }
            Path cache = jar.resolveSibling("tests.aot");
            makeCache(jar, cache);
            return List.of(
                    "-XX:AOTCache=" + cache,
                    "-Xlog:disable",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    jar.toString(),
                    main);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The command's jar; null if there is none, or a class is newer.
    private static Path jar(Path classes) throws IOException {
        List<Path> jars;
        try (Stream<Path> files = Files.list(classes.getParent())) {
            jars = files.filter(each -> each.toString().endsWith("-cli.jar")).toList();
        }
        if (jars.size() != 1) {
            return null;
        }
        long built = jars.getFirst().toFile().lastModified();
        try (Stream<Path> files = Files.walk(classes)) {
            return files.allMatch(each -> each.toFile().lastModified() <= built)
                    ? jars.getFirst()
                    : null;
        }
    }

    private static void makeCache(Path jar, Path cache) throws IOException, InterruptedException {
        Files.deleteIfExists(cache);
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(QUICK);
        command.addAll(
                List.of(
                        "-XX:AOTCacheOutput=" + cache,
                        "-Xlog:disable",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        jar.toString(),
                        "dev.fletch.command.Training",
                        TradesSample.path("trades.arrow").toString()));
        new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
