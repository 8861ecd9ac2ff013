// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A small world for the launcher: a clone with a copy of it, JDKs and a Maven that are shell
/// scripts, and nothing of this machine but the tools that the launcher calls.
final class LauncherFixture {
    /// The end of a zip file without entries, which is how every finished jar ends.
    private static final byte[] JAR_END = new byte[22];

    static {
        JAR_END[0] = 'P';
        JAR_END[1] = 'K';
        JAR_END[2] = 5;
        JAR_END[3] = 6;
    }

    private static final List<String> TOOLS =
            List.of(
                    "sh",
                    "cat",
                    "cksum",
                    "cp",
                    "find",
                    "mkdir",
                    "mktemp",
                    "mv",
                    "readlink",
                    "rm",
                    "sed",
                    "sleep",
                    "tail",
                    "touch",
                    "tr");

    /// Prints which JDK it is and every argument in brackets, and remembers that it was called.
    private static final String JAVA_STUB =
            """
            #!/bin/sh
            echo "java $1" >>"$CALLS"
            case $1 in
                -version) echo 'openjdk version "%s" 2025-09-16' >&2; exit 0 ;;
                -XshowSettings:properties) echo '    java.home = %s' >&2; exit 0 ;;
                -XX:AOTCacheOutput=*)
                    echo noise
                    echo noise >&2
                    [ -z "${STUB_NO_CACHE:-}" ] || exit 1
                    printf cache >"${1#*=}"
                    exit 0 ;;
            esac
            echo "jdk=%s"
            [ -z "${STUB_LOCALE:-}" ] || echo "LC_ALL=${LC_ALL:-}"
            for argument in "$@"; do printf '[%%s]\\n' "$argument"; done
            if [ -n "${STUB_READS:-}" ]; then
                true 2>/dev/null 3<&0 || echo "input closed"
                cat 2>/dev/null || echo "input failed"
            fi
            true 2>/dev/null 3>&1 || echo "output closed" >&2
            exit "${STUB_STATUS:-0}"
            """;

    /// Builds a jar where it is told to, or a class path, or fails, after having printed something.
    private static final String MAVEN_STUB =
            """
            #!/bin/sh
            echo "mvn $JAVA_HOME" >>"$CALLS"
            echo "maven speaks"
            for argument in "$@"; do
                case $argument in
                    -Dbuild.folder=*) out=${argument#-Dbuild.folder=} ;;
                    -Dmdep.outputFile=*) libraries=${argument#-Dmdep.outputFile=} ;;
                esac
            done
            mkdir -p "$out"
            if [ -n "${libraries:-}" ]; then
                [ -z "${STUB_BROKEN:-}" ] || exit 1
                printf '/a library.jar:/b.jar' >"$libraries"
                exit 0
            fi
            printf PK >"$out/fletch-9-cli.jar"
            sleep "${STUB_SECONDS:-0}"
            [ -z "${STUB_BROKEN:-}" ] || exit 1
            cp "$JAR" "$out/fletch-9-cli.jar"
            """;

    final Path clone;
    final Path home;
    final Path system;
    private final Path bin;
    private final Path calls;
    private final Path goodJar;
    private final Map<String, String> environment = new TreeMap<>();

    /// What a run printed and how it ended.
    record Result(int status, String out, String err) {
        /// The arguments that the command itself would have seen.
        List<String> arguments() {
            List<String> lines = out.lines().toList();
            int jar = lines.indexOf("[-jar]");
            return lines.subList(jar + 2, lines.size());
        }
    }

    LauncherFixture(Path folder) throws IOException {
        clone = Files.createDirectories(folder.resolve("a clone"));
        home = Files.createDirectories(folder.resolve("home"));
        system = Files.createDirectories(folder.resolve("system"));
        bin = Files.createDirectories(folder.resolve("bin"));
        calls = folder.resolve("calls");
        goodJar = Files.write(folder.resolve("good.jar"), JAR_END);
        for (String tool : TOOLS) {
            executable(bin.resolve(tool), "#!/bin/sh\nexec '" + locate(tool) + "' \"$@\"\n");
        }
        copyLauncher();
        Files.createDirectories(clone.resolve("src/main/java"));
        Files.writeString(clone.resolve("pom.xml"), "<project/>");
        Files.writeString(clone.resolve("src/main/java/A.java"), "class A {}");
        environment.put("PATH", bin.toString());
        environment.put("HOME", home.toString());
        environment.put("CALLS", calls.toString());
        environment.put("JAR", goodJar.toString());
    }

    /// The copy differs in one line: the system's folders are the test's own.
    private void copyLauncher() throws IOException {
        String script = Files.readString(Repository.root().resolve("fletch"));
        assertTrue(script.contains("\nsystem=\n"), "the launcher has lost its system= line");
        String moved = script.replace("\nsystem=\n", "\nsystem='" + system + "'\n");
        executable(clone.resolve("fletch"), moved);
        Path shared = Path.of("src/dist/lib/start.sh");
        Files.createDirectories(clone.resolve(shared).getParent());
        Files.copy(Repository.root().resolve(shared), clone.resolve(shared));
    }

    private static Path locate(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + tool + " on the PATH"));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    LauncherFixture with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /// Puts a program on the PATH.
    LauncherFixture withTool(String name, String script) throws IOException {
        executable(bin.resolve(name), script);
        return this;
    }

    LauncherFixture withMaven() throws IOException {
        executable(bin.resolve("mvn"), MAVEN_STUB);
        return this;
    }

    /// A command that is built and newer than every source.
    LauncherFixture built() throws IOException {
        Path jar = clone.resolve("target/fletch-9-cli.jar");
        Files.createDirectories(jar.getParent());
        Files.copy(goodJar, jar);
        age(jar, 60);
        age(clone.resolve("pom.xml"), 120);
        try (Stream<Path> sources = Files.walk(clone.resolve("src"))) {
            for (Path source : sources.toList()) {
                age(source, 120);
            }
        }
        return this;
    }

    /// The sample that the AOT cache is made with; without it the launcher makes none.
    LauncherFixture withSample() throws IOException {
        Path sample = clone.resolve("src/test/resources/samples/trades.arrow");
        Files.createDirectories(sample.getParent());
        Files.writeString(sample, "sample");
        return this;
    }

    private static void age(Path file, int seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
    }

    /// A JDK whose release file names its version.
    static Path jdk(Path folder, String version) throws IOException {
        jdkWithoutRelease(folder, version);
        Files.writeString(
                folder.resolve("release"),
                "IMPLEMENTOR=\"Stub\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"Any\"\n");
        return folder;
    }

    /// A JDK that has to be asked for its version.
    static Path jdkWithoutRelease(Path folder, String version) throws IOException {
        String name = folder.getFileName().toString();
        executable(folder.resolve("bin/java"), JAVA_STUB.formatted(version, folder, name));
        executable(folder.resolve("bin/javac"), "#!/bin/sh\n");
        return folder;
    }

    /// Puts a link to this JDK's `java` on the PATH, as Debian's alternatives do.
    LauncherFixture onPath(Path jdk) throws IOException {
        Path alternative = home.resolve("alternative");
        Files.createSymbolicLink(alternative, jdk.resolve("bin/java"));
        Files.createSymbolicLink(bin.resolve("java"), alternative);
        return this;
    }

    /// Every call of a JDK and of Maven so far.
    List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    List<String> inTarget() throws IOException {
        try (Stream<Path> files = Files.list(clone.resolve("target"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    Result run(String... arguments) throws Exception {
        return runAs(home, clone.resolve("fletch").toString(), arguments);
    }

    Result runAs(Path workingFolder, String launcher, String... arguments) throws Exception {
        return finish(start(workingFolder, launcher, arguments));
    }

    Process start(Path workingFolder, String launcher, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(workingFolder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// What the stubs print fits the pipes' buffers, so one may be read after the other.
    static Result finish(Process process) throws Exception {
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes());
        String err = new String(process.getErrorStream().readAllBytes());
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the launcher hangs");
        return new Result(process.exitValue(), out, err);
    }
}
