// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The flatbuffers of an Arrow stream or file: its messages, and its footer where it has one.
///
/// @param kind `Schema`, `RecordBatch`, `Footer` and so on
/// @param bytes the flatbuffer with the padding of its frame
record EmissionMessages(String kind, byte[] bytes) {
    static final String FOOTER = "Footer";

    boolean isFooter() {
        return kind.equals(FOOTER);
    }

    /// Returns them all, in their order.
    static List<EmissionMessages> of(byte[] content) {
        OracleFile file = OracleListing.list(content);
        List<EmissionMessages> all = new ArrayList<>();
        for (OracleMessage each : file.messages()) {
            all.add(new EmissionMessages(each.kind(), bytes(each.metadata())));
        }
        if (file.footer() != null) {
            all.add(new EmissionMessages(FOOTER, bytes(file.footer().bytes())));
        }
        return all;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
