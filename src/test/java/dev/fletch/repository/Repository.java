// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The repository's folder and the compiled main classes.
final class Repository {
    /// A class name inside a descriptor or a generic signature.
    private static final Pattern NAMED_IN_DESCRIPTOR = Pattern.compile("L(\\w+(?:/[\\w$]+)+)[;<]");

    private Repository() {}

    /// The folder that holds `pom.xml`.
    static Path root() {
        Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        if (!Files.isRegularFile(root.resolve("pom.xml"))) {
            throw new IllegalStateException("not the repository's folder: " + root);
        }
        return root;
    }

    /// Where the main classes were compiled to.
    static Path classesFolder() {
        String name = "dev/fletch/command/Main.class";
        var found =
                Objects.requireNonNull(Repository.class.getClassLoader().getResource(name), name);
        try {
            Path file = Path.of(found.toURI());
            return file.getRoot()
                    .resolve(file.subpath(0, file.getNameCount() - Path.of(name).getNameCount()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Every compiled main class but the module's descriptor.
    static List<ClassModel> classes() {
        try (Stream<Path> files = Files.walk(classesFolder())) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .map(Repository::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The class's own name, with dots.
    static String nameOf(ClassModel model) {
        return model.thisClass().asInternalName().replace('/', '.');
    }

    static String packageOf(String className) {
        int dot = className.lastIndexOf('.');
        return dot < 0 ? "" : className.substring(0, dot);
    }

    /// Every class that this one names: in code, in descriptors, in signatures, in annotations.
    static Set<String> referencesOf(ClassModel model) {
        Set<String> names = new TreeSet<>();
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry named -> addClassEntry(named.asInternalName(), names);
                case Utf8Entry text -> addNamedIn(text.stringValue(), names);
                default -> {}
            }
        }
        return names;
    }

    private static void addClassEntry(String internalName, Set<String> names) {
        if (internalName.startsWith("[")) {
            addNamedIn(internalName, names);
        } else {
            names.add(internalName.replace('/', '.'));
        }
    }

    private static void addNamedIn(String descriptor, Set<String> names) {
        var matcher = NAMED_IN_DESCRIPTOR.matcher(descriptor);
        while (matcher.find()) {
            names.add(matcher.group(1).replace('/', '.'));
        }
    }
}
