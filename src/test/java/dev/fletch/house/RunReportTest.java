// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// What the build's log says of tests that pass, fail, and are skipped in each of the ways there are.
class RunReportTest {
    static class Passes {
        @Test
        void passes() {}
    }

    static class Fails {
        @Test
        void fails() {
            fail("two lines\nof text");
        }
    }

    static class SkipsSome {
        @Test
        void passes() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void oneOf(int number) {
            assumeTrue(number == 2, "not on Mondays");
        }

        @Test
        @Disabled("too old")
        void old() {}
    }

    static class SkipsAll {
        @BeforeAll
        static void check() {
            assumeTrue(false, "not on Mondays");
        }

        @Test
        void one() {}

        @Test
        void two() {}
    }

    @Disabled("too old")
    static class OldOnes {
        @Test
        void one() {}

        @Test
        void two() {}
    }

    private static List<String> log(Class<?>... classes) {
        StringWriter log = new StringWriter();
        var request =
                LauncherDiscoveryRequestBuilder.request()
                        .filters(EngineFilter.includeEngines("junit-jupiter"));
        for (Class<?> each : classes) {
            request.selectors(selectClass(each));
        }
        LauncherFactory.create(
                        LauncherConfig.builder()
                                .enableTestExecutionListenerAutoRegistration(false)
                                .build())
                .execute(request.build(), new RunReport(new PrintWriter(log)));
        return log.toString().lines().toList();
    }

    @Test
    void nothingIsSaidOfWhatPasses() {
        assertEquals(List.of("Tests: 1 passed, 0 failed, 0 skipped"), log(Passes.class));
    }

    @Test
    void failureIsToldInFull() {
        List<String> log = log(Fails.class, Passes.class);
        assertEquals("FAILED: RunReportTest$Fails: fails()", log.get(0));
        assertEquals("org.opentest4j.AssertionFailedError: two lines", log.get(1));
        assertEquals("of text", log.get(2));
        assertTrue(
                log.stream().anyMatch(line -> line.contains("RunReportTest$Fails.fails(")),
                log::toString);
        assertEquals("Tests: 1 passed, 1 failed, 0 skipped", log.getLast());
    }

    @Test
    void whatIsSkippedIsCountedByReasonAndClass() {
        assertEquals(
                List.of(
                        "Tests: 2 passed, 0 failed, 7 skipped",
                        "Skipped 4: not on Mondays (RunReportTest$SkipsAll 2,"
                                + " RunReportTest$SkipsSome 2)",
                        "Skipped 3: too old (RunReportTest$OldOnes 2, RunReportTest$SkipsSome 1)"),
                log(SkipsSome.class, SkipsAll.class, OldOnes.class));
    }
}
