// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.Constants;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// Describes the measurement: date, machine, software and command.
final class Machine {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /// @param command line of the run
    /// @param compiler whether the C++ peer is measured
    static Map<String, String> describe(String command, boolean compiler) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        facts.put("command", command);
        facts.put("processor", processor());
        facts.put("processors", "" + Runtime.getRuntime().availableProcessors());
        facts.put(
                "system",
                String.join(
                        " ",
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch")));
        facts.put(
                "java",
                System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"));
        facts.put("collector", ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName());
        facts.put("flatbuffers-java", flatbuffers());
        if (compiler) {
            facts.put("compiler", firstLine("g++", "--version") + ", " + CppProgram.OPTIONS);
            facts.put("flatc", firstLine("flatc", "--version"));
        }
        return facts;
    }

    /// The version of the FlatBuffers library, from the name of one of its methods.
    private static String flatbuffers() {
        return Constants.class
                .getDeclaredMethods()[0]
                .getName()
                .replace("FLATBUFFERS_", "")
                .replace('_', '.');
    }

    private static String processor() throws IOException {
        if (Files.isReadable(PROCESSORS)) {
            for (String line : Files.readAllLines(PROCESSORS)) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        }
        return System.getProperty("os.arch");
    }

    private static String firstLine(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        byte[] printed = process.getInputStream().readAllBytes();
        return new String(printed, StandardCharsets.UTF_8).lines().findFirst().orElse("?");
    }
}
