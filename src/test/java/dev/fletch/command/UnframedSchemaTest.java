// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// Files whose schema message has no prefix, so that nothing says where it ends: how long that may
/// take. How commands divide them is in `golden/commands/unframed.txt`.
class UnframedSchemaTest {
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
                Meant.bytes(table("Message", "version", 4, "header_type", 1, "header", schema));
        byte[] file = Frames.join(Frames.MAGIC, new byte[2], message);
        for (List<String> command : List.of(List.of("ls"), List.of("verify", "--strict"))) {
            Run run =
                    Cli.runWithInput(
                            file,
                            Stream.concat(command.stream(), Stream.of("-")).toArray(String[]::new));
            assertEquals(1, run.status(), run.err());
        }
    }
}
