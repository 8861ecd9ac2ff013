// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static dev.fletch.repository.LauncherFixture.finish;
import static dev.fletch.repository.LauncherFixture.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fletch.repository.LauncherFixture.Result;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The AOT cache that `./fletch` keeps beside the jar: made once, used silently, and without any
/// influence on what the command prints.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
@Order(1) // takes long
class LauncherCacheTest {
    private static final String MAKES = "java -XX:AOTCacheOutput=";
    private static final long SEED = 7;

    private LauncherFixture world;

    @BeforeEach
    void build(@TempDir Path folder) throws IOException {
        world = new LauncherFixture(folder.toRealPath()).withSample().built();
    }

    private void withStub() throws IOException {
        jdk(world.system.resolve("usr/lib/jvm/jdk"), "25");
    }

    private long made() throws IOException {
        return world.calls().stream().filter(call -> call.startsWith(MAKES)).count();
    }

    private List<Path> caches() throws IOException {
        try (Stream<Path> files = Files.list(world.clone.resolve("target"))) {
            return files.filter(each -> each.toString().endsWith(".aot")).toList();
        }
    }

    private static boolean isUsed(Result result) {
        return result.out().contains("[-XX:AOTCache=");
    }

    private Result assertRan(Result result) {
        assertEquals(0, result.status(), result::err);
        assertEquals("jdk=jdk", result.out().lines().findFirst().orElse(""));
        assertEquals("", result.err());
        return result;
    }

    @Test
    void theCacheIsMadeOncePerJar() throws Exception {
        withStub();
        for (int i = 0; i < 3; i++) {
            Result result = assertRan(world.run("ls"));
            String option = "[-XX:AOTCache=" + caches().getFirst() + "]\n";
            assertTrue(result.out().contains(option), result::out);
        }
        assertEquals(1, made());
        assertEquals(1, caches().size());
        Files.setLastModifiedTime(
                world.clone.resolve("target/fletch-9-cli.jar"),
                FileTime.from(Instant.now().minusSeconds(1)));
        Files.setLastModifiedTime(
                caches().getFirst(), FileTime.from(Instant.now().minusSeconds(30)));
        assertRan(world.run("ls"));
        assertEquals(2, made());
        assertEquals(1, caches().size());
    }

    @Test
    void eachJavaVersionHasItsCache() throws Exception {
        withStub();
        assertTrue(isUsed(assertRan(world.run("ls"))));
        jdk(world.system.resolve("usr/lib/jvm/jdk"), "25.0.9+1-LTS");
        assertTrue(isUsed(assertRan(world.run("ls"))));
        assertEquals(2, made());
        jdk(world.system.resolve("usr/lib/jvm/jdk"), "25");
        assertTrue(isUsed(assertRan(world.run("ls"))));
        assertEquals(2, made());
    }

    @Test
    void aCacheThatCannotBeMadeIsTriedOnce() throws Exception {
        withStub();
        world.with("STUB_NO_CACHE", "yes");
        for (int i = 0; i < 3; i++) {
            assertFalse(isUsed(assertRan(world.run("ls"))));
        }
        assertEquals(1, made());
        assertEquals(0, Files.size(caches().getFirst()));
    }

    @Test
    void aDamagedCacheIsReplaced() throws Exception {
        withStub();
        assertTrue(isUsed(assertRan(world.run("ls"))));
        Files.writeString(caches().getFirst(), "cachf");
        assertTrue(isUsed(assertRan(world.run("ls"))));
        assertEquals(2, made());
        assertEquals("cache", Files.readString(caches().getFirst()));
        assertEquals(1, caches().size());
    }

    @Test
    void theChecksumOfAnUnchangedCacheIsComputedOnce() throws Exception {
        withStub();
        Path sums = world.home.resolve("sums");
        world.withTool("cksum", "#!/bin/sh\necho >>'" + sums + "'\nexec /usr/bin/cksum\n");
        assertTrue(isUsed(assertRan(world.run("ls"))));
        age(caches().getFirst());
        assertTrue(isUsed(assertRan(world.run("ls"))));
        long first = Files.readAllLines(sums).size();
        assertTrue(isUsed(assertRan(world.run("ls"))));
        assertEquals(first, Files.readAllLines(sums).size());
        Files.writeString(caches().getFirst(), "cache");
        assertTrue(isUsed(assertRan(world.run("ls"))));
        assertEquals(first + 1, Files.readAllLines(sums).size());
    }

    /// Lets the cache be older than what was written after it, also where times are in seconds.
    private static void age(Path cache) throws IOException {
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().minusSeconds(30)));
    }

    @Test
    void theCacheIsNotUsedOnRequest() throws Exception {
        withStub();
        world.with("FLETCH_CACHE", "no");
        assertFalse(isUsed(assertRan(world.run("ls"))));
        assertEquals(0, made());
    }

    @Test
    void noCacheIsMadeInAReadOnlyFolder() throws Exception {
        Path target = world.clone.resolve("target");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assumeFalse(Files.isWritable(target), "who runs this may write everywhere; skipped");
            withStub();
            assertFalse(isUsed(assertRan(world.run("ls"))));
            assertEquals(0, made());
        } finally {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    // ---- with a real JVM

    /// A command that prints its arguments, in the place of the real one.
    private static final String ECHO =
            """
            package dev.fletch.command;

            class Main {
                public static void main(String[] arguments) {
                    System.out.println(java.util.Arrays.toString(arguments));
                }
            }

            class Training {
                public static void main(String[] files) {
                    Main.main(files);
                }
            }
            """;

    private void withRealJava() throws Exception {
        world.with("JAVA_HOME", System.getProperty("java.home"));
        Path source = Files.writeString(world.home.resolve("Main.java"), ECHO);
        Path classes = world.home.resolve("classes");
        Path jar = world.clone.resolve("target/fletch-9-cli.jar");
        tool("javac", "-d", classes.toString(), source.toString());
        tool(
                "jar",
                "--create",
                "--file=" + jar,
                "--main-class=dev.fletch.command.Main",
                "-C",
                classes.toString(),
                ".");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private static void tool(String name, String... arguments) {
        ToolProvider tool = ToolProvider.findFirst(name).orElseThrow();
        assertEquals(0, tool.run(System.out, System.err, arguments));
    }

    private void assertEchoes() throws Exception {
        Result result = world.run("a", "b c");
        assertEquals("", result.err());
        assertEquals("[a, b c]\n", result.out());
        assertEquals(0, result.status());
    }

    @Test
    void damagedCachesDoNotChangeTheOutput() throws Exception {
        withRealJava();
        assertEchoes();
        Random random = new Random(SEED);
        for (int kept = CaseCount.of(2, 0); kept < 3; kept++) {
            byte[] bytes = Files.readAllBytes(caches().getFirst());
            assertNotEquals(0, bytes.length);
            for (int bit = 0; bit < 30; bit++) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(caches().getFirst(), Arrays.copyOf(bytes, bytes.length / 2 * kept));
            assertEchoes();
        }
    }

    @Test
    void aCacheOfAnotherJarDoesNotChangeTheOutput() throws Exception {
        withRealJava();
        assertEchoes();
        FileTime newer = Files.getLastModifiedTime(caches().getFirst());
        Path jar = world.clone.resolve("target/fletch-9-cli.jar");
        Files.setLastModifiedTime(jar, FileTime.from(newer.toInstant().minusSeconds(5)));
        assertEchoes();
    }

    @Test
    void parallelStartsPrintTheSame() throws Exception {
        withRealJava();
        String launcher = world.clone.resolve("fletch").toString();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < CaseCount.of(2, 4); i++) {
            all.add(world.start(world.home, launcher, "x"));
        }
        for (Process each : all) {
            Result result = finish(each);
            assertEquals("[x]\n", result.out());
            assertEquals("", result.err());
        }
        assertFalse(caches().isEmpty());
    }
}
