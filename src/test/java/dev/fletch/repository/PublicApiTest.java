// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the library shows to its users is what the module exports and what `public-api.txt` lists,
/// so that nothing of it changes unseen.
///
/// After a change that is meant so, `mvn test -Dtest=PublicApiTest -Dfletch.api.write=true` writes
/// the list anew; the commit then shows what users will have to cope with.
class PublicApiTest {
    /// Not exported, nor are their sub-packages: the command, whose interface is the command line,
    /// and what the others share.
    private static final Set<String> HIDDEN =
            Set.of(
                    "dev.fletch.command",
                    "dev.fletch.arrow.internal",
                    "dev.fletch.compression.internal",
                    "dev.fletch.convert.internal",
                    "dev.fletch.events",
                    "dev.fletch.flatbuf.internal",
                    "dev.fletch.format.internal",
                    "dev.fletch.input",
                    "dev.fletch.ipc.internal",
                    "dev.fletch.remote.errors",
                    "dev.fletch.remote.internal",
                    "dev.fletch.scan.internal",
                    "dev.fletch.schema.internal",
                    "dev.fletch.verify.internal",
                    "dev.fletch.verify.messages",
                    "dev.fletch.wire");

    private static final Path BASELINE =
            Repository.root().resolve("src/test/resources/dev/fletch/repository/public-api.txt");

    @Test
    void thePublicApiIsTheListedOne() throws IOException {
        List<String> api = PublicApi.lines();
        if (Boolean.getBoolean("fletch.api.write")) {
            Files.write(BASELINE, api);
        }
        List<String> baseline = Files.readAllLines(BASELINE);
        List<String> differences = new ArrayList<>();
        baseline.stream()
                .filter(line -> !api.contains(line))
                .forEach(gone -> differences.add("- " + gone.strip()));
        api.stream()
                .filter(line -> !baseline.contains(line))
                .forEach(added -> differences.add("+ " + added.strip()));
        System.out.printf("Public API: %d lines%n", api.size());
        assertEquals(List.of(), differences, "public API has changed; if so meant: see this test");
        assertEquals(baseline, api);
    }

    @Test
    void theModuleExportsEveryPublicPackage() throws IOException {
        Set<String> packages = new TreeSet<>();
        Repository.classes()
                .forEach(model -> packages.add(Repository.packageOf(Repository.nameOf(model))));
        packages.removeIf(PublicApiTest::isHidden);
        assertEquals(packages, PublicApi.exportedPackages());
        for (String exported : PublicApi.exportedPackages()) {
            assertFalse(PublicApi.publicTypes(exported).isEmpty(), exported);
        }
    }

    private static boolean isHidden(String name) {
        return HIDDEN.stream().anyMatch(hidden -> (name + ".").startsWith(hidden + "."));
    }

    /// What nobody can use may change as it will.
    @Test
    void releasesAreComparedWithoutInternalPackages() throws IOException {
        Set<String> excluded = new TreeSet<>();
        String pom = Files.readString(Repository.root().resolve("pom.xml"));
        Matcher exclude =
                Pattern.compile("<exclude>(dev\\.fletch[^<]*)</exclude>")
                        .matcher(pom.substring(pom.indexOf("<artifactId>japicmp-maven-plugin")));
        while (exclude.find()) {
            excluded.add(exclude.group(1));
        }
        assertEquals(HIDDEN, excluded);
    }

    /// A signature that names a type which users cannot see cannot be used; one that names an
    /// optional library's makes that one necessary. `vectors` is for users of arrow-java.
    @Test
    void signaturesNameOnlyPublicApi() throws IOException {
        Set<String> exported = PublicApi.exportedPackages();
        List<String> hidden = new ArrayList<>();
        for (String name : exported) {
            for (Class<?> type : PublicApi.publicTypes(name)) {
                for (Class<?> named : PublicApi.namedBy(type)) {
                    boolean isArrow =
                            name.equals("dev.fletch.vectors")
                                    && named.getName().startsWith("org.apache.arrow.");
                    if (!isArrow && !isVisible(named, exported)) {
                        hidden.add(type.getName() + " names " + named.getName());
                    }
                }
            }
        }
        assertEquals(List.of(), hidden);
    }

    private static boolean isVisible(Class<?> named, Set<String> exported) throws IOException {
        Class<?> type = named;
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive()
                || type.getPackageName().equals("java.net.http") // of dev.fletch.remote alone
                || type.getModule() == Object.class.getModule()
                || exported.contains(type.getPackageName())
                        && PublicApi.publicTypes(type.getPackageName()).contains(type);
    }
}
