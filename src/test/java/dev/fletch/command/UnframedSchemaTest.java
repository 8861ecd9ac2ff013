// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.command.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.RangeServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// Files whose schema message has no prefix, so that nothing says where it ends: how long that may
/// take, and links. How commands divide them is in `golden/commands/unframed.txt`.
class UnframedSchemaTest {
    private static final String BATCHES =
            " | batch 2 [2] [- i32(0 1 3) \"abc\"] | batch 2 [2] [- i32(0 1 3) \"def\"]";

    @TempDir Path folder;

    private static byte[] withoutFooter(byte[] file) {
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 10);
        return Arrays.copyOf(file, file.length - 10 - length);
    }

    /// Its end was found by marking the bytes of each object each time it was reached.
    @Test
    @Timeout(60)
    void sharedObjectsAreCountedInTime() throws IOException {
        List<FbsValue.Table> pairs =
                Collections.nCopies(
                        CaseCount.of(200_000, 1_000_000),
                        table("KeyValue", "key", "k", "value", "v".repeat(8 << 20)));
        FbsValue.Table schema = table("Schema", "fields", List.of(), "custom_metadata", pairs);
        byte[] message =
                SchemaTables.bytes(
                        table("Message", "version", 4, "header_type", 1, "header", schema));
        byte[] file = new byte[8 + message.length];
        System.arraycopy("ARROW1".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 6);
        System.arraycopy(message, 0, file, 8, message.length);
        for (List<String> command : List.of(List.of("ls"), List.of("verify", "--strict"))) {
            Run run =
                    Cli.runWithInput(
                            file,
                            Stream.concat(command.stream(), Stream.of("-")).toArray(String[]::new));
            assertEquals(1, run.status(), run.err());
        }
    }

    /// Longer than what is requested at once.
    @Test
    void aLinkIsReadUpToItsEnd() throws IOException {
        String schema =
                "<utf8:Utf8>{custom_metadata=[KeyValue(key=\"k\" value=repeat(3000000 \"x\"))]}";
        byte[] cut = withoutFooter(CaseFile.input("file unframed " + schema + BATCHES));
        Files.write(folder.resolve("of.arrow"), cut);
        try (RangeServer server = new RangeServer(folder)) {
            Run ofFile = Cli.runAlone("schema", "" + folder.resolve("of.arrow"));
            Run ofLink = Cli.runAlone("schema", server.link("of.arrow"));
            assertEquals(ofFile.out(), ofLink.out());
        }
    }
}
