// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static dev.fletch.repository.LauncherFixture.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.repository.LauncherFixture.Result;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `./fletch bench` before Java takes over, with scripts in the place of JDKs and of Maven.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherBenchTest {
    private LauncherFixture world;

    @BeforeEach
    void build(@TempDir Path folder) throws IOException {
        world = new LauncherFixture(folder.toRealPath());
    }

    private void withJdk() throws IOException {
        jdk(world.system.resolve("usr/lib/jvm/jdk"), "25");
    }

    private long mavenCalls() throws IOException {
        return world.calls().stream().filter(call -> call.startsWith("mvn ")).count();
    }

    @Test
    void theBenchIsBuiltOnceAndAfterAnEdit() throws Exception {
        world.withMaven();
        withJdk();
        Result first = world.run("bench", "--quick");
        assertEquals(0, first.status(), first::err);
        assertTrue(first.err().contains("maven speaks"), first::err);
        assertFalse(first.out().contains("maven speaks"), first::out);
        assertEquals(1, mavenCalls());
        Result second = world.run("bench", "--quick");
        assertEquals("", second.err());
        assertEquals(first.out(), second.out());
        assertEquals(1, mavenCalls());
        Files.writeString(world.clone.resolve("src/main/java/B.java"), "class B {}");
        world.run("bench");
        assertEquals(2, mavenCalls());
        assertEquals(List.of("bench"), world.inTarget());
    }

    @Test
    void startsTheBoardWithItsClassPathAndTheArgumentsUntouched() throws Exception {
        world.withMaven();
        withJdk();
        Result result = world.run("bench", "--json", "two words", "*");
        List<String> lines = result.out().lines().toList();
        int at = lines.indexOf("[dev.fletch.bench.Board]");
        assertEquals(
                List.of("[--json]", "[two words]", "[*]"), lines.subList(at + 1, lines.size()));
        Path bench = world.clone.resolve("target/bench");
        assertEquals(
                "[" + bench + "/test-classes:" + bench + "/classes:/a library.jar:/b.jar]",
                lines.get(at - 1));
        assertTrue(lines.contains("[-Dbasedir=" + world.clone + "]"), result::out);
    }

    @Test
    void theExitStatusOfTheBoardIsReturned() throws Exception {
        world.withMaven().with("STUB_STATUS", "1");
        withJdk();
        assertEquals(1, world.run("bench").status());
    }

    @Test
    void missingMavenAndFailedBuildsAreReported() throws Exception {
        withJdk();
        Result withoutMaven = world.run("bench");
        assertEquals(2, withoutMaven.status());
        assertTrue(withoutMaven.err().contains("install Maven"), withoutMaven::err);
        world.withMaven().with("STUB_BROKEN", "yes");
        Result broken = world.run("bench");
        assertEquals(2, broken.status());
        assertTrue(broken.err().contains("build failed"), broken::err);
        assertEquals("", broken.out());
        assertEquals(List.of(), world.inTarget());
    }
}
