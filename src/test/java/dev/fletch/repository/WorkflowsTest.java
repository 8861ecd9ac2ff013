// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The workflows of the hosting site, which nothing here can run: their syntax, and that they do
/// only what the documents say.
class WorkflowsTest {
    private static Map<?, ?> read(String name) throws IOException {
        Path path = Repository.root().resolve(".github/workflows").resolve(name);
        LoadSettings settings = LoadSettings.builder().setLabel(name).build();
        return assertInstanceOf(
                Map.class, new Load(settings).loadFromString(Files.readString(path)));
    }

    private static List<Map<?, ?>> steps(String name) throws IOException {
        List<Map<?, ?>> all = new ArrayList<>();
        for (Object job : assertInstanceOf(Map.class, read(name).get("jobs")).values()) {
            for (Object step : (List<?>) assertInstanceOf(Map.class, job).get("steps")) {
                all.add(assertInstanceOf(Map.class, step));
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"build.yml", "release.yml"})
    void jobsHaveWhatAJobNeeds(String name) throws IOException {
        Map<?, ?> workflow = read(name);
        assertTrue(workflow.get("name") instanceof String && workflow.get("on") instanceof Map);
        assertEquals(Map.of("contents", "read"), workflow.get("permissions"));
        for (Object job : assertInstanceOf(Map.class, workflow.get("jobs")).values()) {
            Map<?, ?> each = assertInstanceOf(Map.class, job);
            assertTrue(each.get("runs-on") instanceof String, each.toString());
            assertTrue(each.get("timeout-minutes") instanceof Integer, each.toString());
        }
        for (Map<?, ?> step : steps(name)) {
            assertEquals(1, (step.containsKey("run") ? 1 : 0) + (step.containsKey("uses") ? 1 : 0));
            Object action = step.get("uses");
            assertTrue(action == null || ((String) action).matches("actions/[\\w-]+@v\\d+"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"build.yml", "release.yml"})
    void commandsAreThoseOfTheDocuments(String name) throws IOException {
        String documents =
                Files.readString(Repository.root().resolve("README.md"))
                        + Files.readString(Repository.root().resolve("RELEASING.md"));
        int commands = 0;
        for (Map<?, ?> step : steps(name)) {
            if (step.get("run") instanceof String command) {
                commands++;
                String documented = command.replaceAll("\\$\\{\\{ vars\\.\\w+ }}", "https://…");
                assertTrue(documents.contains(documented), command);
            }
        }
        assertTrue(commands >= 3, commands + " commands");
    }
}
