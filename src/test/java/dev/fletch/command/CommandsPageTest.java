// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.ids.BufferRole;
import dev.fletch.schema.SchemaChange;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The command reference is what the code gives, and names every key that `--json` prints.
///
/// Written anew with `-Dfletch.docs.write=true`.
class CommandsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ""));
    private static final Path PAGE = ROOT.resolve("docs/reference/commands.md");

    private static final Pattern KEY =
            Pattern.compile(
                    "(?:write\\w+Field|write\\w*FieldStart|writeFieldName)\\(\\s*\"(\\w+)\"");

    /// What the pages hold for their own scripts, and what flatc takes, whose keys the declarations
    /// have.
    private static final Set<String> OTHERS =
            Set.of("AnnotatePage.java", "MapPage.java", "FbsFormat.java");

    @TempDir Path folder;

    @Test
    void pageIsGeneratedFromTheCommands() throws IOException {
        String made = CommandsPage.text();
        GoldenOutput.assertPage(PAGE, made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "schema", "count", "columns", "verify", "map", "ext", "annotate"})
    void everyKeyIsDescribed(String command) throws IOException {
        List<String> call = new ArrayList<>(List.of(command, "--json"));
        call.addAll(inputs());
        assertDescribed(keys(command), Cli.run(call.toArray(String[]::new)));
    }

    /// What the page on JSON says of a command, and of all.
    private static String keys(String command) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/reference/json.md"));
        String faults = command.equals("annotate") ? section(page, "`fletch verify`") : "";
        return section(page, "Keys of most commands")
                + section(page, "`fletch " + command + "`")
                + faults;
    }

    private static String section(String page, String heading) {
        int start = page.indexOf("\n## " + heading + "\n");
        assertTrue(start >= 0, heading);
        int end = page.indexOf("\n## ", start + 1);
        return page.substring(start, end < 0 ? page.length() : end);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyKeyOfDifferencesIsDescribed(boolean bytes) throws IOException {
        String resources = "src/test/resources/";
        for (String[] pair :
                new String[][] {
                    {"arrow-cpp/lz4.stream", "arrow-cpp/zstd.stream"},
                    {"arrow-cpp/metadata.arrow", "arrow-cpp/data.arrow"},
                    {"arrow-cpp/types.stream", "samples/trades.stream"}
                }) {
            List<String> call = new ArrayList<>(List.of("diff", "--json"));
            if (bytes) {
                call.add("--bytes");
            }
            for (String each : pair) {
                call.add(ROOT.resolve(resources + each).toString());
            }
            assertDescribed(keys("diff"), Cli.run(call.toArray(String[]::new)));
        }
    }

    @Test
    void everyKeyOfAnInvalidSideIsDescribed() throws IOException {
        String cut = inputs().getLast();
        assertDescribed(keys("diff"), Cli.run("diff", "--json", cut, cut));
    }

    /// Also keys that none of the inputs above leads to.
    @Test
    void everyKeyInTheCodeIsDescribed() throws IOException {
        String described = Files.readString(ROOT.resolve("docs/reference/json.md"));
        Set<String> keys = new TreeSet<>();
        Stream.of(LsCommand.Column.values()).forEach(column -> keys.add(column.key));
        try (Stream<Path> files = Files.walk(ROOT.resolve("src/main/java/dev/fletch/command"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher key = KEY.matcher(Files.readString(file));
                while (!OTHERS.contains(file.getFileName().toString()) && key.find()) {
                    keys.add(key.group(1));
                }
            }
        }
        System.out.printf("JSON: %d keys in the code%n", keys.size());
        assertTrue(keys.size() > 50);
        keys.removeIf(key -> described.indexOf('`' + key + '`') >= 0);
        assertEquals(Set.of(), keys);
    }

    @Test
    void everyRoleAndKindOfChangeIsDescribed() throws IOException {
        String map = keys("map");
        for (BufferRole role : BufferRole.values()) {
            assertTrue(map.contains('`' + role.text() + '`'), role.text());
        }
        String diff = keys("diff");
        for (SchemaChange.Kind kind : SchemaChange.Kind.values()) {
            assertTrue(
                    diff.contains('`' + kind.name().toLowerCase(Locale.ROOT) + '`'), kind.name());
        }
    }

    private static void assertDescribed(String text, Cli.Run run) {
        Set<String> keys = new TreeSet<>();
        run.json().forEach(value -> gather(value, keys));
        assertTrue(keys.size() > 3, run.err());
        keys.removeIf(key -> text.contains('`' + key + '`'));
        assertEquals(Set.of(), keys);
    }

    private static void gather(Object value, Set<String> keys) {
        if (value instanceof Map<?, ?> object) {
            for (var each : object.entrySet()) {
                keys.add((String) each.getKey());
                gather(each.getValue(), keys);
            }
        } else if (value instanceof List<?> array) {
            array.forEach(each -> gather(each, keys));
        }
    }

    /// All that the repository ships, and a file that was cut off.
    private List<String> inputs() throws IOException {
        List<String> inputs = new ArrayList<>();
        for (String each : List.of("samples", "arrow-cpp")) {
            try (Stream<Path> files = Files.list(ROOT.resolve("src/test/resources/" + each))) {
                files.filter(file -> file.toString().matches(".*\\.(arrow|arrows|stream)"))
                        .forEach(file -> inputs.add(file.toString()));
            }
        }
        byte[] whole = Files.readAllBytes(TradesSample.path("trades.arrow"));
        inputs.add(Files.write(folder.resolve("cut"), Arrays.copyOf(whole, 20_000)).toString());
        return inputs;
    }
}
