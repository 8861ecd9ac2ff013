// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Map.entry;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Packages are layers, and references go downward only. Two packages on one layer
/// don't know each other.
class LayersTest {
    private static final String ROOT = "dev.fletch.";

    private static final Map<String, Integer> LAYERS =
            Map.ofEntries(
                    entry("events", 0),
                    entry("wire", 1),
                    entry("", 2),
                    entry("flatbuf", 3),
                    entry("flatbuf.verify", 4),
                    entry("flatbuf.write", 4),
                    entry("format", 5),
                    entry("format.text", 6),
                    entry("format.write", 6),
                    entry("layout", 7),
                    entry("compression", 8),
                    entry("ipc", 8),
                    entry("semantics", 9),
                    entry("forward", 9),
                    entry("model", 10),
                    entry("range", 10),
                    entry("extension", 11),
                    entry("http", 11),
                    entry("json", 11),
                    entry("values", 12),
                    entry("vectors", 13),
                    entry("input", 12),
                    entry("check", 13),
                    entry("convert", 13),
                    entry("scan", 13),
                    entry("command", 14));

    /// The packages of the command, on layers of their own.
    private static final Map<String, Integer> COMMAND_LAYERS =
            Map.of(
                    "command.text", 0,
                    "command.io", 1,
                    "command.annotate", 2,
                    "command.convert", 2,
                    "command.diff", 2,
                    "command.map", 2,
                    "command.schema", 2,
                    "command.verify", 2,
                    "command", 3);

    /// Parts of another package that are not exported. Each counts as one package with it: they use
    /// each other.
    private static final Map<String, String> ROOM_OF =
            Map.of(
                    "format.rules", "format",
                    "ipc.walk", "ipc",
                    "semantics.rules", "semantics",
                    "values.walk", "values",
                    "check.internal", "check",
                    "convert.internal", "convert");

    @Test
    void referencesRunDownward() {
        assertDownward(LAYERS, LayersTest::roomOf);
    }

    @Test
    void referencesInsideTheCommandRunDownward() {
        assertDownward(COMMAND_LAYERS, LayersTest::packageOf);
    }

    /// @param roomOf the room of a class; classes in rooms without a layer are left out
    private static void assertDownward(Map<String, Integer> layers, UnaryOperator<String> roomOf) {
        List<String> upward = new ArrayList<>();
        Set<String> edges = new TreeSet<>();
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            for (String used : Repository.referencesOf(model)) {
                if (!used.startsWith(ROOT)) {
                    continue;
                }
                String from = roomOf.apply(user);
                String to = roomOf.apply(used);
                boolean isInside = from.startsWith("command") && to.startsWith("command");
                if (from.equals(to) || layers == COMMAND_LAYERS && !isInside) {
                    continue;
                }
                edges.add(from + "→" + to);
                if (layerOf(to, layers) >= layerOf(from, layers)) {
                    upward.add(user + " uses " + used);
                }
            }
        }
        System.out.printf("Layers: references %s%n", edges);
        assertFalse(edges.isEmpty());
        assertEquals(List.of(), upward);
    }

    @Test
    void thePageListsEachPackageOnItsLayer() throws IOException {
        List<String> lines =
                Files.readAllLines(Repository.root().resolve("docs/reference/architecture.md"));
        List<String> missing = new ArrayList<>();
        for (String name : LAYERS.keySet()) {
            String row = "| " + LAYERS.get(name) + " |";
            String cell = "`" + (name.isEmpty() ? "dev.fletch" : name) + "`";
            if (lines.stream().noneMatch(line -> line.startsWith(row) && line.contains(cell))) {
                missing.add(row + " " + cell);
            }
        }
        assertEquals(List.of(), missing);
    }

    /// Programs embed the library without the command.
    @Test
    void libraryDoesNotReferToTheCommand() {
        List<String> found = new ArrayList<>();
        int library = 0;
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            if (isCommand(user)) {
                continue;
            }
            library++;
            Repository.referencesOf(model).stream()
                    .filter(LayersTest::isCommand)
                    .forEach(used -> found.add(user + " uses " + used));
        }
        assertTrue(library > 0);
        assertEquals(List.of(), found);
    }

    private static boolean isCommand(String className) {
        return className.startsWith(ROOT + "command.");
    }

    /// The package that a class counts to in [#LAYERS].
    private static String roomOf(String className) {
        String name = packageOf(className);
        return isCommand(className) ? "command" : ROOM_OF.getOrDefault(name, name);
    }

    /// The package's name under `dev.fletch`: `format.write` for
    /// `dev.fletch.format.write.MetadataWriter`.
    private static String packageOf(String className) {
        String below = className.substring(ROOT.length());
        int dot = below.lastIndexOf('.');
        return dot < 0 ? "" : below.substring(0, dot);
    }

    private static int layerOf(String room, Map<String, Integer> layers) {
        Integer layer = layers.get(room);
        if (layer == null) {
            throw new AssertionError("package without a layer: " + ROOT + room);
        }
        return layer;
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
                if (entry instanceof MemberRefEntry member && isReinterpret(member)) {
                    found.add(user + " uses MemorySegment.reinterpret");
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

    private static boolean isReinterpret(MemberRefEntry member) {
        return member.name().equalsString("reinterpret")
                && member.owner().asInternalName().equals("java/lang/foreign/MemorySegment");
    }
}
