// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static dev.fletch.repository.LauncherFixture.finish;
import static dev.fletch.repository.LauncherFixture.jdk;
import static dev.fletch.repository.LauncherFixture.jdkWithoutRelease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.repository.LauncherFixture.Result;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What `./fletch` does before Java takes over, with scripts in the place of JDKs and of Maven.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherTest {
    private LauncherFixture world;

    @BeforeEach
    void build(@TempDir Path folder) throws IOException {
        world = new LauncherFixture(folder.toRealPath());
    }

    private Path inSystem(String name) {
        return world.system.resolve("usr/lib/jvm").resolve(name);
    }

    private static void assertRan(String jdk, Result result) {
        assertEquals(0, result.status(), result::err);
        assertEquals("jdk=" + jdk, result.out().lines().findFirst().orElse(""));
    }

    @Test
    void javaIsFoundInJavaHomeThenPathThenUsualFolders() throws Exception {
        world.built();
        jdk(world.home.resolve(".jdks/dotjdks-27"), "27");
        assertRan("dotjdks-27", world.run());
        jdk(world.home.resolve(".sdkman/candidates/java/sdkman-26"), "26.0.1");
        assertRan("sdkman-26", world.run());
        jdk(world.system.resolve("opt/opt-25"), "25.0.2");
        assertRan("opt-25", world.run());
        jdk(inSystem("system-25"), "25");
        assertRan("system-25", world.run());
        world.onPath(jdk(world.home.resolve("elsewhere/path-25"), "25.0.3"));
        assertRan("path-25", world.run());
        Path javaHome = jdk(world.home.resolve("a folder/home-28"), "28-ea");
        assertRan("home-28", world.with("JAVA_HOME", javaHome.toString()).run());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_402", "9", "17.0.15", "24.0.2", "", "unknown"})
    void oldAndUnknownJavaVersionsAreSkipped(String version) throws Exception {
        world.built();
        Path old = jdk(world.home.resolve("old"), version);
        jdk(inSystem("too-old"), "21");
        jdk(inSystem("young"), "25");
        world.onPath(jdk(world.home.resolve("old-on-path"), version));
        assertRan("young", world.with("JAVA_HOME", old.toString()).run());
    }

    @Test
    void aBrokenJavaHomeIsSkipped() throws Exception {
        world.built();
        jdk(inSystem("good"), "25");
        assertRan("good", world.with("JAVA_HOME", "/no/such/folder").run());
        Path withoutJava = jdk(world.home.resolve("gutted"), "25");
        Files.delete(withoutJava.resolve("bin/java"));
        assertRan("good", world.with("JAVA_HOME", withoutJava.toString()).run());
        assertRan("good", world.with("JAVA_HOME", "").run());
    }

    @Test
    void aJdkWithoutReleaseFileIsAsked() throws Exception {
        world.built();
        jdkWithoutRelease(inSystem("a-old"), "21.0.1");
        jdkWithoutRelease(inSystem("b-young"), "25.0.1");
        assertRan("b-young", world.run());
    }

    @Test
    void warmStartCallsJavaOnce() throws Exception {
        world.built().withMaven();
        jdk(inSystem("jdk"), "25");
        assertRan("jdk", world.run("ls"));
        assertEquals(List.of("java -XX:+UseSerialGC"), world.calls());
    }

    @Test
    void aMissingJdkIsReported() throws Exception {
        world.built();
        jdk(inSystem("too-old"), "17.0.15");
        Result result = world.run("ls", "x");
        assertEquals(2, result.status());
        assertEquals("", result.out());
        assertEquals(1, result.err().lines().count(), result::err);
        assertTrue(result.err().startsWith("fletch: only Java 17 found, in "), result::err);
        assertTrue(result.err().contains("too-old: install a JDK 25 or newer"), result::err);
        assertTrue(result.err().contains("JAVA_HOME"), result::err);
    }

    @Test
    void argumentsArePassedUntouched() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        Files.writeString(world.home.resolve("one.txt"), "");
        String[] arguments = {
            "ls",
            "-",
            "",
            "two words",
            "*",
            "*.txt",
            "$HOME",
            "`x`",
            "a\\b",
            "\"q\"",
            "--",
            "-n",
            "ü"
        };
        List<String> expected = List.of(arguments).stream().map(a -> "[" + a + "]").toList();
        assertEquals(expected, world.run(arguments).arguments());
        assertEquals(List.of(), world.run().arguments());
    }

    @Test
    void theFirstCompilerAloneIsUsedWhereOnlyHeadersOfSeveralFilesAreRead() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        Path folder = Files.createDirectories(world.home.resolve("some files"));
        Files.writeString(folder.resolve("a"), "");
        Files.writeString(folder.resolve("b"), "");
        Files.writeString(world.home.resolve("bytes"), "");
        for (String each : List.of("count", "ls", "schema", "columns", "verify")) {
            assertTrue(hasFirstCompilerAlone(each, "-r", "some files"), each);
            assertTrue(hasFirstCompilerAlone(each, "some files/a", "some files/b"), each);
            assertFalse(hasFirstCompilerAlone(each, "some files/a"), each);
            assertFalse(hasFirstCompilerAlone(each, "-"), each);
            assertFalse(hasFirstCompilerAlone(each, "https://x/a", "https://x/b"), each);
        }
        assertFalse(hasFirstCompilerAlone("annotate", "some files/a", "some files/b"));
        assertFalse(hasFirstCompilerAlone("columns", "--sort", "rows", "some files/a"));
        assertFalse(hasFirstCompilerAlone("verify", "--values", "-r", "some files"));
        assertFalse(hasFirstCompilerAlone("verify", "--unused", "-r", "some files"));
        assertFalse(hasFirstCompilerAlone("verify", "-r", "some files", "--column", "x"));
        assertTrue(hasFirstCompilerAlone("convert", "some files/a", "some files/c"));
        assertFalse(hasFirstCompilerAlone("convert", "--values", "some files/a", "c"));
        assertFalse(hasFirstCompilerAlone("convert", "--salvage", "some files/a", "c"));
        assertFalse(hasFirstCompilerAlone());
        try (RandomAccessFile large = new RandomAccessFile(folder.resolve("c").toFile(), "rw")) {
            large.setLength(64L << 20);
        }
        assertFalse(hasFirstCompilerAlone("count", "-r", "some files"));
        assertFalse(hasFirstCompilerAlone("count", "some files/a", "some files/c"));
        assertTrue(hasFirstCompilerAlone("count", "some files/a", "some files/b"));
    }

    private boolean hasFirstCompilerAlone(String... arguments) throws Exception {
        Result result = world.run(arguments);
        assertRan("jdk", result);
        assertEquals(List.of(arguments), unbracketed(result.arguments()));
        return result.out().contains("[-XX:TieredStopAtLevel=1]");
    }

    private static List<String> unbracketed(List<String> arguments) {
        return arguments.stream().map(each -> each.substring(1, each.length() - 1)).toList();
    }

    private static String locale(Result result) {
        return result.out()
                .lines()
                .filter(line -> line.startsWith("LC_ALL="))
                .findFirst()
                .orElseThrow();
    }

    /// The system says which characters a locale has, and which locales there are.
    @Test
    void aUtf8LocaleIsSetForNonAsciiNames() throws Exception {
        String locale =
                """
                #!/bin/sh
                echo locale >>"$CALLS"
                case $1 in
                    charmap) echo "${STUB_CHARMAP}" ;;
                    -a) printf '%s\\n' $STUB_LOCALES ;;
                esac
                """;
        world.built().withTool("locale", locale).with("STUB_LOCALE", "yes").with("LC_ALL", "C");
        jdk(inSystem("jdk"), "25");
        world.with("STUB_LOCALES", "C POSIX C.utf8 de_DE.utf8 en_US.utf8");
        world.with("STUB_CHARMAP", "ANSI_X3.4-1968");
        assertEquals("LC_ALL=C", locale(world.run("ls", "plain name")));
        assertFalse(world.calls().contains("locale"), "a plain name needs no locale");
        assertEquals("LC_ALL=C.utf8", locale(world.run("ls", "\u00fc")));
        assertEquals("LC_ALL=C.utf8", locale(world.run("map", "--html=\u00fc", "x")));
        assertEquals("LC_ALL=C.utf8", locale(world.run("count", "-r", "folder")));
        Path folder = Files.createDirectories(world.home.resolve("\u00fc"));
        String launcher = world.clone.resolve("fletch").toString();
        assertEquals("LC_ALL=C.utf8", locale(world.runAs(folder, launcher, "ls", "x")));
        world.with("STUB_LOCALES", "C POSIX en_US.UTF-8");
        assertEquals("LC_ALL=en_US.UTF-8", locale(world.run("ls", "\u00fc")));
        world.with("STUB_LOCALES", "C POSIX de_DE");
        assertEquals("LC_ALL=C", locale(world.run("ls", "\u00fc")));
        world.with("STUB_LOCALES", "C POSIX C.utf8").with("STUB_CHARMAP", "ISO-8859-1");
        assertEquals("LC_ALL=C", locale(world.run("ls", "\u00fc")));
    }

    @Test
    void theTemporaryFolderOfTheEnvironmentIsUsed() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        assertFalse(world.run("ls").out().contains("java.io.tmpdir"));
        world.with("TMPDIR", world.home.resolve("missing").toString());
        assertFalse(world.run("ls").out().contains("java.io.tmpdir"));
        Path folder = Files.createDirectories(world.home.resolve("for now"));
        Result result = world.with("TMPDIR", folder.toString()).run("ls", "-");
        assertTrue(result.out().contains("[-Djava.io.tmpdir=" + folder + "]\n"), result::out);
        assertEquals(
                List.of("ls", "-").stream().map(a -> "[" + a + "]").toList(), result.arguments());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 77})
    void theExitStatusIsReturned(int status) throws Exception {
        world.built().with("STUB_STATUS", "" + status);
        jdk(inSystem("jdk"), "25");
        assertEquals(status, world.run().status());
    }

    /// A closed one is no empty one, nor whatever the JVM opens first.
    @Test
    void closedStandardInputCannotBeRead() throws Exception {
        world.built().with("STUB_READS", "yes");
        jdk(inSystem("jdk"), "25");
        String launcher = world.clone.resolve("fletch").toString();
        String closing = "exec \"$0\" \"$@\" <&-";
        Result result = world.runAs(world.home, "/bin/sh", "-c", closing, launcher, "ls", "-");
        assertRan("jdk", result);
        assertEquals("input failed", result.out().lines().toList().getLast());
        assertFalse(result.out().contains("input closed"), result::out);
        assertEquals("[-]", world.run("ls", "-").out().lines().toList().getLast());
    }

    /// What is written to a closed one is not lost in a file that the JVM has opened.
    @Test
    void closedStandardOutputCannotBeWritten() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        String launcher = world.clone.resolve("fletch").toString();
        String closing = "\"$0\" \"$@\" >&- 2>\"$HOME/err\"";
        world.runAs(world.home, "/bin/sh", "-c", closing, launcher, "ls", "x");
        String err = Files.readString(world.home.resolve("err"));
        assertTrue(err.contains("echo: "), () -> "nothing failed: " + err);
        assertFalse(err.contains("output closed"), err);
    }

    @Test
    void aDeletedWorkingFolderIsReported() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        String launcher = world.clone.resolve("fletch").toString();
        Path folder = Files.createDirectories(world.home.resolve("gone"));
        String deleting = "/bin/rmdir ../gone && exec \"$0\" \"$@\"";
        Result result = world.runAs(folder, "/bin/sh", "-c", deleting, launcher, "ls", "x");
        assertEquals(2, result.status());
        assertEquals("", result.out());
        assertEquals(
                "fletch: the working folder was deleted", result.err().lines().toList().getLast());
    }

    @Test
    void theFolderIsFoundThroughLinks() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        Path links = Files.createDirectories(world.home.resolve("some links"));
        Files.createSymbolicLink(links.resolve("first"), world.clone.resolve("fletch"));
        Files.createSymbolicLink(links.resolve("second"), Path.of("first"));
        assertRan("jdk", world.runAs(world.clone, "./fletch"));
        assertRan("jdk", world.runAs(links, links.resolve("second").toString()));
        assertRan("jdk", world.runAs(world.home, "./some links/second"));
        assertRan("jdk", world.runAs(world.clone, "/bin/sh", "fletch"));
    }

    @Test
    void aMissingJarIsBuiltWithCleanStandardOutput() throws Exception {
        world.withMaven();
        Path jdk = jdk(inSystem("jdk"), "25");
        Result first = world.run();
        assertRan("jdk", first);
        assertTrue(first.err().contains("maven speaks"), first::err);
        assertEquals(List.of("fletch-9-cli.jar"), world.inTarget());
        Result second = world.run();
        assertRan("jdk", second);
        assertEquals("", second.err());
        assertEquals(
                List.of("mvn " + jdk, "java -XX:+UseSerialGC", "java -XX:+UseSerialGC"),
                world.calls());
    }

    @Test
    void theJarIsRebuiltAfterAnEditADeletionOrAnInterruption() throws Exception {
        world.withMaven().built();
        jdk(inSystem("jdk"), "25");
        Files.writeString(world.clone.resolve("pom.xml"), "<project></project>");
        world.run();
        assertEquals(1, mavenCalls(), "pom.xml was edited");
        Files.delete(world.clone.resolve("src/main/java/A.java"));
        world.run();
        assertEquals(2, mavenCalls(), "a source was deleted");
        Files.writeString(world.clone.resolve("target/fletch-9-cli.jar"), "PK and no end");
        world.run();
        assertEquals(3, mavenCalls(), "the jar is half written");
        Files.copy(
                world.clone.resolve("target/fletch-9-cli.jar"),
                world.clone.resolve("target/fletch-8-cli.jar"));
        world.run();
        assertEquals(4, mavenCalls(), "another version's jar lies there");
        assertRan("jdk", world.run());
        assertEquals(4, mavenCalls(), "nothing has changed");
        assertEquals(List.of("fletch-9-cli.jar"), world.inTarget());
    }

    private long mavenCalls() throws IOException {
        return world.calls().stream().filter(call -> call.startsWith("mvn ")).count();
    }

    @Test
    void aFailedBuildIsNotUsed() throws Exception {
        world.withMaven().with("STUB_BROKEN", "yes");
        jdk(inSystem("jdk"), "25");
        Result result = world.run();
        assertEquals(2, result.status());
        assertEquals("", result.out());
        assertTrue(result.err().contains("fletch: build failed"), result::err);
        assertEquals(List.of(), world.inTarget());
    }

    @Test
    void parallelStartsBothSucceed() throws Exception {
        world.withMaven().with("STUB_SECONDS", "0.2");
        jdk(inSystem("jdk"), "25");
        String launcher = world.clone.resolve("fletch").toString();
        Process first = world.start(world.home, launcher);
        Process second = world.start(world.home, launcher);
        assertRan("jdk", finish(first));
        assertRan("jdk", finish(second));
        assertEquals(List.of("fletch-9-cli.jar"), world.inTarget());
    }

    @Test
    void missingMavenIsReported() throws Exception {
        jdk(inSystem("jdk"), "25");
        Result result = world.run();
        assertEquals(2, result.status());
        assertEquals("", result.out());
        assertEquals(1, result.err().lines().count(), result::err);
        assertTrue(result.err().contains("install Maven"), result::err);
    }

    @Test
    void anOldJarRunsWithAWarningWithoutMaven() throws Exception {
        world.built();
        jdk(inSystem("jdk"), "25");
        Files.writeString(world.clone.resolve("pom.xml"), "<project></project>");
        Result result = world.run();
        assertRan("jdk", result);
        assertEquals(1, result.err().lines().count(), result::err);
    }
}
