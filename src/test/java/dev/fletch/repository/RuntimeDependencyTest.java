// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;

/// The main jar needs nothing at run time but the JDK's `java.base`.
class RuntimeDependencyTest {
    private static final String JACKSON = "com.fasterxml.jackson.core";
    private static final String PICOCLI = "picocli";
    private static final String ARROW = "org.apache.arrow";
    private static final String FLATBUFFERS = "com.google.flatbuffers";

    /// Who may use the optional dependencies; every other package is the library proper.
    private static final Map<String, Set<String>> OPTIONAL_USERS =
            Map.of(
                    "dev.fletch.command", Set.of(PICOCLI, JACKSON),
                    "dev.fletch.schema", Set.of(JACKSON),
                    "dev.fletch.compression",
                            Set.of("org.apache.commons.compress", "com.github.luben.zstd"),
                    "dev.fletch.events", Set.of("jdk.jfr"),
                    "dev.fletch.remote", Set.of("java.net.http"),
                    "dev.fletch.vectors", Set.of(ARROW, FLATBUFFERS));

    private static final Set<String> JAVA_BASE =
            ModuleLayer.boot().findModule("java.base").orElseThrow().getPackages();

    @Test
    void classesReferToTheJdkAndToThemselvesOnly() {
        List<String> strangers = new ArrayList<>();
        Set<String> proper = new TreeSet<>();
        int references = 0;
        List<ClassModel> classes = Repository.classes();
        for (ClassModel model : classes) {
            String user = Repository.nameOf(model);
            Set<String> optional = optionalFor(Repository.packageOf(user));
            if (optional.isEmpty()) {
                proper.add(user);
            }
            for (String used : Repository.referencesOf(model)) {
                references++;
                if (!isAllowed(used, optional)) {
                    strangers.add(user + " uses " + used);
                }
            }
        }
        System.out.printf(
                "Run-time dependencies: %d classes (%d of the library proper), %d references,"
                        + " %d to anything else%n",
                classes.size(), proper.size(), references, strangers.size());
        assertFalse(classes.isEmpty());
        assertEquals(List.of(), strangers);
    }

    private static Set<String> optionalFor(String packageName) {
        return OPTIONAL_USERS.entrySet().stream()
                .filter(entry -> isWithin(packageName, entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Set.of());
    }

    private static boolean isAllowed(String className, Set<String> optional) {
        String packageName = Repository.packageOf(className);
        return JAVA_BASE.contains(packageName)
                || isWithin(packageName, "dev.fletch")
                || optional.stream().anyMatch(library -> isWithin(packageName, library));
    }

    private static boolean isWithin(String packageName, String root) {
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }

    /// What an image of GraalVM would have to be told about.
    @Test
    void libraryUsesNoReflectionServicesOrResources() {
        List<String> found = new ArrayList<>();
        int calls = 0;
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            if (isWithin(Repository.packageOf(user), "dev.fletch.command")) {
                continue;
            }
            for (var method : model.methods()) {
                for (var element : method.code().map(CodeModel::elementList).orElse(List.of())) {
                    if (element instanceof InvokeInstruction call) {
                        calls++;
                        if (isDynamic(call)) {
                            found.add(user + " calls " + call);
                        }
                    }
                }
            }
        }
        System.out.printf("Calls of the library: %d, of reflection: %s%n", calls, found);
        assertTrue(calls > 10_000);
        assertEquals(List.of(), found);
    }

    /// Class objects may be compared and named.
    private static boolean isDynamic(InvokeInstruction call) {
        String owner = call.owner().asInternalName().replace('/', '.');
        String name = call.name().stringValue();
        return switch (owner) {
            case "java.util.ServiceLoader" -> true;
            case "java.lang.Class" ->
                    name.equals("forName")
                            || name.startsWith("getResource")
                            || name.matches("get(Declared)?(Method|Field|Constructor)s?")
                            || name.equals("newInstance");
            case "java.lang.ClassLoader", "java.lang.Module" ->
                    !name.startsWith("get") && !name.equals("canRead")
                            || name.startsWith("getResource");
            case "java.lang.invoke.MethodHandles$Lookup" -> name.startsWith("find");
            default -> owner.startsWith("java.lang.reflect.");
        };
    }

    private static ModuleDescriptor module() throws IOException {
        Path file = Repository.classesFolder().resolve("module-info.class");
        try (var in = Files.newInputStream(file)) {
            return ModuleDescriptor.read(in);
        }
    }

    @Test
    void moduleRequiresJavaBaseOnly() throws Exception {
        ModuleDescriptor module = module();
        Set<String> atRunTime =
                module.requires().stream()
                        .filter(r -> !r.modifiers().contains(Requires.Modifier.STATIC))
                        .map(Requires::name)
                        .collect(Collectors.toSet());
        System.out.printf(
                "Module %s: %d requires, at run time %s%n",
                module.name(), module.requires().size(), atRunTime);
        assertEquals("dev.fletch", module.name());
        assertEquals(Set.of("java.base"), atRunTime);
    }

    /// The jar `fletch` does not contain the command, so that the module must not name its
    /// packages.
    @Test
    void moduleDoesNotMentionTheCommand() throws Exception {
        ModuleDescriptor module = module();
        assertEquals(Set.of(), module.opens());
        assertTrue(
                module.exports().stream()
                        .noneMatch(each -> isWithin(each.source(), "dev.fletch.command")));
        assertTrue(module.requires().stream().noneMatch(each -> each.name().contains("picocli")));
        String pom = Files.readString(Repository.root().resolve("pom.xml"));
        assertTrue(pom.contains("<exclude>dev/fletch/command/**</exclude>"));
    }

    @Test
    void pomHandsNoDependencyOn() throws Exception {
        Document pom =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(Repository.root().resolve("pom.xml").toFile());
        XPath path = XPathFactory.newInstance().newXPath();
        // What stands here is the whole truth only while nothing is inherited.
        assertEquals("", path.evaluate("/project/parent", pom), "a parent may add dependencies");
        // Those of the project and of its profiles; managed ones and plugins' own don't count.
        String all = "(/project | /project/profiles/profile)/dependencies/dependency";
        String handedOn =
                all
                        + "[not(scope = 'test' or scope = 'provided' or scope = 'import')]"
                        + "[not(optional = 'true')]";
        System.out.println("POM: dependencies=" + path.evaluate("count(" + all + ")", pom));
        assertNotEquals("0", path.evaluate("count(" + all + ")", pom));
        assertEquals("", path.evaluate(handedOn, pom));
    }
}
