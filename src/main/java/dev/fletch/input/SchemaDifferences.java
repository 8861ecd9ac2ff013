// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The differences of a file's schema message from its footer.
public final class SchemaDifferences {
    private static final int SCHEMA = ArrowRules.SET.kind("Schema");

    private SchemaDifferences() {}

    /// Compares the schemas of footer and message.
    ///
    /// @return a text for each difference; null if both schemas are invalid or too large, and do
    ///     not have the same bytes
    public static List<String> of(Schema ofFooter, Schema ofMessage, Limits limits) {
        if (haveSameBytes(ofFooter, ofMessage)) {
            return List.of();
        }
        ArrowSchema inFooter = Models.orNull(ofFooter, limits);
        ArrowSchema inMessage = Models.orNull(ofMessage, limits);
        if (inFooter != null && inMessage != null) {
            return inFooter.diff(inMessage).stream().map(SchemaChange::toString).toList();
        }
        String valid = inFooter == null ? "message" : "footer";
        return inFooter == inMessage
                ? null
                : List.of("only the schema of the " + valid + " is valid");
    }

    /// Whether two schemas have the same bytes, so that all readers find the same in both: most
    /// files have them twice. Schemas with the same content may have other bytes.
    private static boolean haveSameBytes(Schema a, Schema b) {
        ByteSlice ofA = new ByteSlice().wrapBufferOf(a);
        ByteSlice ofB = new ByteSlice().wrapBufferOf(b);
        MemorySegment inA = ofA.asSlice();
        long table = a.position() - ofA.offset();
        VerifierEngine.Extent read =
                new VerifierEngine(ArrowRules.SET, Checks.ARROW_CPP).extent(SCHEMA, inA, table);
        long shift = b.position() - ofB.offset() - table;
        return read != null
                && read.from + shift >= 0
                && read.to + shift <= ofB.length()
                && InputBytes.mismatch(
                                inA.asSlice(read.from, read.to - read.from),
                                ofB.asSlice().asSlice(read.from + shift, read.to - read.from))
                        < 0;
    }
}
