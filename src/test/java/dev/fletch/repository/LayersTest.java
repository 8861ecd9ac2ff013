// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Packages are layers, and references go downward only. The tables of `architecture.md` say which
/// package is where: two rows on one layer don't know each other, and the packages of one row use
/// only those before them.
class LayersTest {
    private static final String ROOT = "dev.fletch.";

    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\|.*");

    private static final Pattern PACKAGE = Pattern.compile("(\\*?)`([a-z.]+)`");

    /// Where a package is.
    ///
    /// @param row the row of the table
    /// @param index among the packages of the row
    private record Place(int layer, int row, int index, boolean isExported) {
        boolean isAbove(Place other) {
            return layer > other.layer || row == other.row && index > other.index;
        }
    }

    /// The families of the library, with the command as one package; and the command's packages.
    private static final Map<String, Place> FAMILIES = table(0);

    private static final Map<String, Place> COMMAND = table(1);

    /// The packages of one of the page's tables of layers.
    private static Map<String, Place> table(int number) {
        Map<String, Place> places = new HashMap<>();
        int found = -1;
        int row = 0;
        for (String line : page()) {
            found += line.startsWith("| layer |") ? 1 : 0;
            var cells = ROW.matcher(line);
            if (found != number || !cells.matches()) {
                continue;
            }
            row++;
            List<MatchResult> packages = PACKAGE.matcher(cells.group(2)).results().toList();
            for (int i = 0; i < packages.size(); i++) {
                boolean isExported = packages.get(i).group(1).isEmpty();
                var place = new Place(Integer.parseInt(cells.group(1)), row, i, isExported);
                Place other = places.put(packages.get(i).group(2), place);
                assertEquals(null, other, packages.get(i).group(2) + " is there twice");
            }
        }
        return places;
    }

    private static List<String> page() {
        try {
            return Files.readAllLines(Repository.root().resolve("docs/reference/architecture.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void referencesRunDownward() {
        assertDownward(FAMILIES, LayersTest::withCommandAsOne);
    }

    @Test
    void referencesInsideTheCommandRunDownward() {
        assertDownward(COMMAND, name -> isCommand(name) ? name : "");
    }

    /// A program that embeds the library has other words for what a user can choose.
    @Test
    void textsOfTheLibraryNameNoOptionOfTheCommand() throws IOException {
        Pattern literal = Pattern.compile("\"([^\"\\\\]|\\\\.)*\"");
        Set<String> options = new TreeSet<>();
        List<String> texts = new ArrayList<>();
        for (Path source : sources()) {
            boolean isCommand = source.toString().contains("/dev/fletch/command/");
            for (String line : Files.readAllLines(source)) {
                if (!line.strip().startsWith("//")) {
                    literal.matcher(line)
                            .results()
                            .map(MatchResult::group)
                            .forEach(isCommand ? options::add : texts::add);
                }
            }
        }
        options.removeIf(each -> !each.matches("\"--?[a-z-]+\""));
        Pattern option =
                Pattern.compile(
                        options.stream()
                                .map(each -> Pattern.quote(each.replace("\"", "")))
                                .collect(Collectors.joining("|", "(?<=[ (\"])(", ")(?=[ ,;)\"])")));
        List<String> named =
                texts.stream()
                        .filter(each -> each.contains("(-)") || option.matcher(each).find())
                        .toList();
        CaseCount.report("Options: %d, texts of the library: %d", options.size(), texts.size());
        assertTrue(options.contains("\"--salvage\"") && texts.size() > 1_000);
        assertEquals(List.of(), named);
    }

    @Test
    void commentsOfTheLibraryNameNoCommand() throws IOException {
        List<String> named = new ArrayList<>();
        for (Path source : sources()) {
            if (!source.toString().contains("/dev/fletch/command/")) {
                Files.readAllLines(source).stream()
                        .filter(line -> line.contains("`fletch ") && line.strip().startsWith("//"))
                        .forEach(named::add);
            }
        }
        assertEquals(List.of(), named);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(Repository.root().resolve("src/main/java"))) {
            return all.filter(each -> each.toString().endsWith(".java")).toList();
        }
    }

    /// @param placed the name of a package in the table; empty if it is not there
    private static void assertDownward(Map<String, Place> places, UnaryOperator<String> placed) {
        List<String> upward = new ArrayList<>();
        Set<String> edges = new TreeSet<>();
        Set<String> unused = new TreeSet<>(places.keySet());
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            String from = placed.apply(packageOf(user));
            for (String used : Repository.referencesOf(model)) {
                String to = used.startsWith(ROOT) ? placed.apply(packageOf(used)) : "";
                if (from.isEmpty() || to.isEmpty() || from.equals(to)) {
                    continue;
                }
                edges.add(from + "→" + to);
                if (!placeOf(from, places).isAbove(placeOf(to, places))) {
                    upward.add(user + " uses " + used);
                }
            }
            unused.remove(from);
        }
        System.out.printf("Layers: references %s%n", edges);
        assertFalse(edges.isEmpty());
        assertEquals(List.of(), upward);
        assertEquals(Set.of(), unused, "packages of the table without classes");
    }

    @Test
    void packagesInItalicsAreNotExported() throws IOException {
        Set<String> exported = new TreeSet<>();
        FAMILIES.forEach(
                (name, place) -> {
                    if (place.isExported()) {
                        exported.add(fullName(name));
                    }
                });
        assertEquals(PublicApi.exportedPackages(), exported);
    }

    private static boolean isCommand(String packageName) {
        return packageName.equals("command") || packageName.startsWith("command.");
    }

    private static String withCommandAsOne(String packageName) {
        return isCommand(packageName) ? "command" : packageName;
    }

    /// A package's name in the tables: `format.write` for
    /// `dev.fletch.format.write.MetadataWriter`, `dev.fletch` for the root.
    private static String packageOf(String className) {
        String below = className.substring(ROOT.length());
        int dot = below.lastIndexOf('.');
        return dot < 0 ? "dev.fletch" : below.substring(0, dot);
    }

    private static String fullName(String packageName) {
        return packageName.equals("dev.fletch") ? packageName : ROOT + packageName;
    }

    private static Place placeOf(String packageName, Map<String, Place> places) {
        Place place = places.get(packageName);
        if (place == null) {
            throw new AssertionError("package without a layer: " + packageName);
        }
        return place;
    }

    @Test
    void nothingUnsafeAndNothingUnfinished() {
        List<String> found = new ArrayList<>();
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            if (model.minorVersion() == ClassFile.PREVIEW_MINOR_VERSION) {
                found.add(user + " uses preview features");
            }
            Repository.referencesOf(model).stream()
                    .filter(LayersTest::isForbidden)
                    .forEach(used -> found.add(user + " uses " + used));
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member && isForbidden(user, member)) {
                    found.add(user + " uses " + member.name());
                }
            }
        }
        assertEquals(List.of(), found);
    }

    private static boolean isForbidden(String className) {
        return className.equals("sun.misc.Unsafe")
                || className.startsWith("jdk.internal.")
                || className.startsWith("jdk.incubator.");
    }

    /// Native access; confined arenas but for one, see [dev.fletch.wire]; and the comparison that
    /// crashes if a mapped file was shortened, but of what a writer has written.
    private static boolean isForbidden(String user, MemberRefEntry member) {
        String method = member.owner().asInternalName() + "." + member.name().stringValue();
        return switch (method) {
            case "java/lang/foreign/MemorySegment.reinterpret" -> true;
            case "java/lang/foreign/Arena.ofConfined" -> !user.endsWith("ipc.ArrowFile");
            case "java/lang/foreign/MemorySegment.mismatch" ->
                    !user.endsWith("ipc.FileFooter") && !user.endsWith("internal.OutputSchema");
            default -> false;
        };
    }
}
