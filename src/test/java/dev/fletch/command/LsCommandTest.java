// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What `fletch ls` prints, against what flatc's generated classes read from the same bytes.
class LsCommandTest {
    /// The object that `ls --json` promises, made of what the oracle has found.
    private static Map<String, Object> expected(String name, OracleFile file) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("file", name);
        object.put("container", file.container().title());
        object.put("messages", file.messages().stream().map(LsCommandTest::expected).toList());
        if (file.footer() != null) {
            long length = file.footer().length();
            object.put("footer", Map.of("offset", file.footer().offset(), "length", length));
        }
        return object;
    }

    private static Map<String, Object> expected(OracleMessage message) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("index", (long) message.index());
        object.put("offset", message.offset());
        boolean named = !Character.isDigit(message.kind().charAt(0));
        object.put("kind", named ? message.kind() : "MessageHeader(" + message.kind() + ")");
        object.put("version", message.version());
        object.put("prefixLength", (long) message.prefixLength());
        object.put("metadataLength", (long) message.metadataLength());
        object.put("bodyLength", message.bodyLength());
        if (message.rows() != null) {
            object.put("rows", message.rows());
        }
        if (message.dictionaryId() != null) {
            object.put("dictionaryId", message.dictionaryId());
        }
        if (message.delta()) {
            object.put("isDelta", true);
        }
        if (message.codec() != null) {
            object.put("codec", message.codec());
        }
        return object;
    }

    private static String[] command(List<String> options, List<Path> files) {
        return Stream.concat(options.stream(), files.stream().map(Path::toString))
                .toArray(String[]::new);
    }

    @Test
    void jsonOfAllGoldensInOneCallAgrees() {
        List<Path> goldens = Goldens.all();
        Run run = Cli.run(command(List.of("ls", "--json"), goldens));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<Object> printed = run.json();
        assertEquals(goldens.size(), printed.size());
        int messages = 0;
        for (int i = 0; i < goldens.size(); i++) {
            Path golden = goldens.get(i);
            OracleFile oracle = OracleListing.list(Goldens.read(golden));
            assertEquals(expected(golden.toString(), oracle), printed.get(i));
            messages += oracle.messages().size();
        }
        System.out.printf("ls --json: %d goldens, %d messages%n", goldens.size(), messages);
    }
}
