// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.corpus.Corpus;
import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

/// The release that `.ci/release` stages has what Maven Central requires, and a project that uses
/// it runs: https://central.sonatype.org/publish/requirements/.
@EnabledIfSystemProperty(
        named = "fletch.staged",
        matches = ".+",
        disabledReason = "only .ci/release stages a release; skipped")
class StagedReleaseTest {
    private static final Path WORK = Path.of(System.getProperty("fletch.staged", ""));
    private static final Path ARTIFACT = WORK.resolve("copy/target/staging/dev/fletch/fletch");
    private static final String SUMS = ".*\\.(md5|sha1)";

    private static Path folder;
    private static String name;
    private static Document pom;

    @BeforeAll
    static void find() throws Exception {
        try (Stream<Path> versions = Files.list(ARTIFACT)) {
            List<Path> folders = versions.filter(Files::isDirectory).toList();
            assertEquals(1, folders.size(), folders.toString());
            folder = folders.getFirst();
        }
        name = "fletch-" + folder.getFileName();
        pom =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(folder.resolve(name + ".pom").toFile());
    }

    // ---- what Maven Central requires

    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void codeSourcesAndDocumentationAreThere() throws IOException {
        for (String end : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cli.jar")) {
            assertTrue(files().contains(name + end), end + " of " + files());
        }
    }

    /// Maven Central has the corpus of invalid inputs beside the jars.
    @Test
    void theCorpusIsThereWithItsLicence() throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        Path zip = folder.resolve(name + "-corpus.zip");
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
                if (!each.isDirectory()) {
                    found.put(each.getName().replace(name + "-corpus/", ""), in.readAllBytes());
                }
            }
        }
        assertTrue(found.keySet().containsAll(Set.of("LICENSE", "NOTICE", "index.schema.json")));
        assertArrayEquals(Files.readAllBytes(Corpus.INDEX), found.get("index.json"));
        for (Map<String, Object> row : Corpus.index().values()) {
            for (String key : List.of("file", "base")) {
                String file = (String) row.get(key);
                byte[] expected = Files.readAllBytes(Corpus.FOLDER.resolve(file));
                assertArrayEquals(expected, found.get(file), file);
            }
        }
    }

    @Test
    void eachFileIsSigned() throws Exception {
        int signed = 0;
        for (String each : files()) {
            if (!each.matches(SUMS) && !each.endsWith(".asc")) {
                Path file = folder.resolve(each);
                String signature = file + ".asc";
                String printed = run("gpg", "--verify", signature, file.toString());
                assertTrue(printed.contains("Good signature"), printed);
                signed++;
            }
        }
        assertTrue(signed >= 5, signed + " files");
    }

    @Test
    void eachFileHasItsChecksums() throws IOException, GeneralSecurityException {
        for (String each : files()) {
            if (!each.matches(SUMS) && !each.endsWith(".asc")) {
                byte[] bytes = Files.readAllBytes(folder.resolve(each));
                assertEquals(sum("MD5", bytes), Files.readString(folder.resolve(each + ".md5")));
                assertEquals(sum("SHA-1", bytes), Files.readString(folder.resolve(each + ".sha1")));
            }
        }
    }

    private static String sum(String algorithm, byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    }

    private static String text(String path) throws XPathExpressionException {
        return XPathFactory.newInstance().newXPath().evaluate("/project" + path, pom).strip();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/groupId",
                "/artifactId",
                "/version",
                "/name",
                "/description",
                "/url",
                "/licenses/license/name",
                "/licenses/license/url",
                "/developers/developer/name",
                "/scm/url",
                "/scm/connection"
            })
    void pomSaysWhatAndWhoseItIs(String path) throws XPathExpressionException {
        assertFalse(text(path).isEmpty() || text(path).contains("${"), text(path));
    }

    @Test
    void versionIsNoSnapshot() throws XPathExpressionException {
        assertEquals(folder.getFileName().toString(), text("/version"));
        assertFalse(text("").contains("SNAPSHOT"));
    }

    /// The library needs nothing at run time.
    @Test
    void allDependenciesAreOptional() throws XPathExpressionException {
        var all =
                (NodeList)
                        XPathFactory.newInstance()
                                .newXPath()
                                .evaluate(
                                        "/project/dependencies/dependency[not(optional='true') and"
                                                + " not(scope='provided')]",
                                        pom,
                                        XPathConstants.NODESET);
        assertEquals(0, all.getLength());
        assertFalse(text("/dependencies/dependency[1]/artifactId").isEmpty());
    }

    // ---- a project that uses it

    private static String expected(String libraries) {
        boolean isPresent = libraries.equals("optional");
        return "columns=7 batches=3 errors=0 json=%1$b lz4=%1$b zstd=%1$b".formatted(isPresent);
    }

    private static String jars(String libraries) throws IOException {
        Path target = WORK.resolve(libraries).resolve("target");
        try (Stream<Path> jars = Files.list(target.resolve("dependency"))) {
            return target.resolve("consumer-1.jar")
                    + ":"
                    + jars.map(Path::toString).sorted().collect(Collectors.joining(":"));
        }
    }

    private static String sample() {
        return Repository.root().resolve("src/test/resources/samples/trades.arrow").toString();
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        return Processes.printed(new ProcessBuilder(command)).strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "optional"})
    void consumerRunsOnTheClassPath(String libraries) throws Exception {
        String[] command = {
            tool("java"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            jars(libraries),
            "consumer.Main",
            sample()
        };
        assertEquals(expected(libraries), run(command));
    }

    /// Without further options, the JVM does not load modules that are optional.
    @ParameterizedTest
    @ValueSource(strings = {"none", "optional"})
    void consumerRunsOnTheModulePath(String libraries) throws Exception {
        List<String> command = new ArrayList<>(List.of(tool("java"), "-p", jars(libraries)));
        if (libraries.equals("optional")) {
            command.add("--add-modules");
            command.add(
                    "com.fasterxml.jackson.core,org.apache.commons.compress,com.github.luben.zstd_jni");
            command.add("--enable-native-access=com.github.luben.zstd_jni");
        }
        command.addAll(List.of("-m", "consumer/consumer.Main", sample()));
        assertEquals(expected(libraries), run(command.toArray(String[]::new)));
    }

    /// The optional modules are missing then.
    @Test
    void jdepsNeedsNoOptions() throws Exception {
        String printed = run(tool("jdeps"), folder.resolve(name + ".jar").toString());
        assertTrue(printed.contains("dev.fletch -> java.base"), printed);
    }

    @Test
    void imageByJlinkNeedsOnlyJavaBase(@TempDir Path temp) throws Exception {
        Path image = temp.resolve("image");
        run(
                tool("jlink"),
                "--module-path",
                jars("none"),
                "--add-modules",
                "consumer",
                "--output",
                image.toString());
        String java = image.resolve("bin/java").toString();
        var modules = new TreeSet<String>();
        run(java, "--list-modules").lines().map(each -> each.split("@")[0]).forEach(modules::add);
        assertEquals(new TreeSet<>(List.of("consumer", "dev.fletch", "java.base")), modules);
        assertEquals(expected("none"), run(java, "-m", "consumer/consumer.Main", sample()));
    }
}
