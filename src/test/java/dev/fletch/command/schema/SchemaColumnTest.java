// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static dev.fletch.command.SchemaTables.field;
import static dev.fletch.command.SchemaTables.stream;
import static dev.fletch.command.SchemaTables.struct;
import static dev.fletch.command.SchemaTables.table;
import static dev.fletch.command.SchemaTables.utf8;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// `fletch schema --column`.
class SchemaColumnTest {
    private static final FbsValue.Table INT =
            field("b", Type.INT, table("Int", "bitWidth", 8, "is_signed", 1));

    private static final FbsValue.Table SCHEMA =
            table(
                    "Schema",
                    "endianness",
                    1,
                    "custom_metadata",
                    List.of(table("KeyValue", "key", "k", "value", "v")),
                    "fields",
                    List.of(
                            struct("a", INT, utf8("c"), struct("d", utf8("e"))),
                            utf8("a.b"),
                            utf8("twice"),
                            INT,
                            struct("twice", utf8("x")),
                            utf8("")));

    private static Run run(String column, String... options) {
        String[] args = new String[options.length + 4];
        System.arraycopy(options, 0, args, 1, options.length);
        args[0] = "schema";
        args[options.length + 1] = "--column";
        args[options.length + 2] = column;
        args[options.length + 3] = "-";
        return Cli.runWithInput(stream(SCHEMA), args);
    }

    private static void assertShown(String column, String text) {
        assertEquals(new Run(0, text, ""), run(column));
    }

    @Test
    void columnIsShownWithItsChildren() {
        assertShown("b", "b: int8\n");
        assertShown("a.d", "a.d: struct\n└─ e: utf8\n");
        assertShown("a.d.e", "a.d.e: utf8\n");
        assertShown("", "\"\": utf8\n");
    }

    /// Names are not unique, and may hold the character that joins them.
    @Test
    void allColumnsOfAPathAreShown() {
        assertShown("a.b", "a.b: int8\na.b: utf8\n");
        assertShown("twice", "twice: utf8\ntwice: struct\n└─ x: utf8\n");
        assertShown("twice.x", "twice.x: utf8\n");
    }

    @Test
    void columnIsPrintedAsJson() {
        assertEquals(
                """
                {"file":"-","column":"a.b","endianness":"Big","schema":{"fields":[\
                {"name":"b","type":{"name":"int","isSigned":true,"bitWidth":8},\
                "nullable":true,"children":[]},\
                {"name":"a.b","type":{"name":"utf8"},"nullable":true,"children":[]}]}}
                """,
                run("a.b", "--json").out());
        assertEquals(
                """
                {"endianness":"Big","fields":[{"name":"e","nullable":true,"type_type":"Utf8",\
                "type":{}}]}
                """,
                run("a.d.e", "--format", "fbs").out());
    }

    @Test
    void missingColumnsAreErrors() {
        for (String each : new String[] {"A", "a.e", "a.d.f.g", "b.x", "nowhere near"}) {
            assertMissing(each, "no column " + each + "; without --column, all are shown");
        }
    }

    private static void assertMissing(String column, String message) {
        Run expected = new Run(2, "", "fletch: standard input: " + message + "\n");
        assertEquals(expected, run(column));
        Run json = run(column, "--json");
        assertEquals(expected.err(), json.err());
        assertEquals(
                Map.of("file", "-", "error", message), JsonTree.object(json.json().getFirst()));
        assertEquals(expected, run(column, "--format", "fbs"));
    }
}
