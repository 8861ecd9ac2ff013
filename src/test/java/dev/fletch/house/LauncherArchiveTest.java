// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static dev.fletch.house.LauncherFixture.finish;
import static dev.fletch.house.LauncherFixture.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fletch.house.LauncherFixture.Result;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// The archive of loaded classes that `./fletch` keeps beside the jar: made once, and whatever
/// becomes of it, the command prints what it would without.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherArchiveTest {
    private static final String MAKES = "java -XX:ArchiveClassesAtExit=";
    private static final long SEED = 7;

    private LauncherFixture world;
    private Path archive;

    @BeforeEach
    void build(@TempDir Path folder) throws IOException {
        world = new LauncherFixture(folder.toRealPath()).withSample().built();
        archive = world.clone.resolve("target/fletch-9-cli.jsa");
    }

    private void withStub() throws IOException {
        jdk(world.system.resolve("usr/lib/jvm/jdk"), "25");
    }

    private long made() throws IOException {
        return world.calls().stream().filter(call -> call.startsWith(MAKES)).count();
    }

    private String option() {
        return "[-XX:SharedArchiveFile=" + archive + "]";
    }

    private Result assertRan(Result result) {
        assertEquals(0, result.status(), result::err);
        assertEquals("jdk=jdk", result.out().lines().findFirst().orElse(""));
        assertEquals("", result.err());
        return result;
    }

    @Test
    void isMadeOnceUsedSilentlyAndMadeAnewForAnotherJar() throws Exception {
        withStub();
        for (int i = 0; i < 3; i++) {
            assertTrue(assertRan(world.run("ls")).out().contains(option()));
        }
        assertEquals(1, made());
        assertEquals(List.of("fletch-9-cli.jar", "fletch-9-cli.jsa"), world.inTarget());
        Files.setLastModifiedTime(
                world.clone.resolve("target/fletch-9-cli.jar"),
                FileTime.from(Instant.now().plusSeconds(5)));
        assertRan(world.run("ls"));
        assertEquals(2, made());
    }

    @Test
    void oneThatCannotBeMadeIsTriedOnce() throws Exception {
        withStub();
        world.with("STUB_NO_ARCHIVE", "yes");
        for (int i = 0; i < 3; i++) {
            assertTrue(!assertRan(world.run("ls")).out().contains("SharedArchiveFile"));
        }
        assertEquals(1, made());
        assertEquals(0, Files.size(archive));
    }

    @Test
    void isLeftAloneOnRequest() throws Exception {
        withStub();
        world.with("FLETCH_ARCHIVE", "no");
        assertTrue(!assertRan(world.run("ls")).out().contains("SharedArchiveFile"));
        assertEquals(0, made());
    }

    @Test
    void isNotMadeInReadOnlyFolder() throws Exception {
        Path target = world.clone.resolve("target");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assumeFalse(Files.isWritable(target), "who runs this may write everywhere; skipped");
            withStub();
            assertTrue(!assertRan(world.run("ls")).out().contains("SharedArchiveFile"));
            assertEquals(0, made());
        } finally {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    // ---- with a real JVM

    /// A command that prints its arguments, in the place of the real one.
    private void withRealJava() throws Exception {
        world.with("JAVA_HOME", System.getProperty("java.home"));
        Path jar = world.clone.resolve("target/fletch-9-cli.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
        String entry = Echo.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream written = new JarOutputStream(out, manifest)) {
            written.putNextEntry(new JarEntry(entry));
            try (var in = LauncherArchiveTest.class.getClassLoader().getResourceAsStream(entry)) {
                in.transferTo(written);
            }
        }
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private void assertEchoes() throws Exception {
        Result result = world.run("a", "b c");
        assertEquals("", result.err());
        assertEquals("[a, b c]\n", result.out());
        assertEquals(0, result.status());
    }

    @Test
    void damagedOnesChangeNothing() throws Exception {
        withRealJava();
        assertEchoes();
        byte[] good = Files.readAllBytes(archive);
        assertNotEquals(0, good.length);
        Random random = new Random(SEED);
        List<byte[]> damaged = new ArrayList<>();
        damaged.add(new byte[1]);
        damaged.add(new byte[good.length]);
        damaged.add(Arrays.copyOf(good, 4096));
        damaged.add(Arrays.copyOf(good, good.length / 2));
        damaged.add(Arrays.copyOf(good, good.length - 1));
        for (int i = 0; i < 3; i++) {
            byte[] flipped = good.clone();
            for (int bit = 0; bit < 30; bit++) {
                flipped[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            }
            damaged.add(flipped);
        }
        for (byte[] each : damaged) {
            Files.write(archive, each);
            assertEchoes();
        }
    }

    @Test
    void oneOfAnotherJarChangesNothing() throws Exception {
        withRealJava();
        assertEchoes();
        FileTime newer = Files.getLastModifiedTime(archive);
        Path jar = world.clone.resolve("target/fletch-9-cli.jar");
        Files.setLastModifiedTime(jar, FileTime.from(newer.toInstant().minusSeconds(5)));
        assertEchoes();
    }

    @Test
    void startsAtOnceAllPrintTheSame() throws Exception {
        withRealJava();
        String launcher = world.clone.resolve("fletch").toString();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(world.start(world.home, launcher, "x"));
        }
        for (Process each : all) {
            Result result = finish(each);
            assertEquals("[x]\n", result.out());
            assertEquals("", result.err());
        }
        assertEquals(List.of("fletch-9-cli.jar", "fletch-9-cli.jsa"), world.inTarget());
    }

    /// What the jar of the tests runs.
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) {
            System.out.println(Arrays.toString(arguments));
        }
    }
}
