// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.BINARY;
import static dev.fletch.schema.extension.Extensions.INT32;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.fault;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.marked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.Random;

/// Anyone may have written metadata: whatever it is, reading it ends in one kind of message.
@Timeout(300)
class HostileMetadataTest {
    /// The types whose metadata is JSON, each with a storage for tensors of two dimensions.
    private static final Map<String, ArrowField> STORAGE =
            Map.of(
                    "arrow.opaque",
                    field("o", BINARY),
                    "arrow.json",
                    field("o", UTF8),
                    "arrow.fixed_shape_tensor",
                    field("o", new ArrowType.FixedSizeList(6), field("item", INT32)),
                    "arrow.variable_shape_tensor",
                    field(
                            "o",
                            STRUCT,
                            field("data", LIST, field("item", INT32)),
                            field("shape", new ArrowType.FixedSizeList(2), field("item", INT32))));

    static List<String> noObjects() {
        return List.of(
                " ",
                "{",
                "}",
                "[]",
                "3",
                "null",
                "true",
                "\"x\"",
                "x",
                "{}}",
                "{} {}",
                "{} x",
                "{}\0",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":-Infinity}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":0x10}",
                "{\"a\":1.}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\uZZZZ\"}",
                "{/* comment */}",
                "{} // comment",
                "\uFEFF{}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"\\u0061\":1}",
                "{\"shape\":[2,3],\"shape\":[2,3]}",
                "{\"new\":{\"a\":1,\"a\":1}}",
                "{\"a\":" + "1".repeat(5_000) + "}",
                "{\"a\":\"" + "x".repeat(2_000_000) + "\"}",
                "{\"" + "x".repeat(200_000) + "\":1}",
                "{\"a\":" + "[".repeat(100_000),
                "{\"a\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}",
                "{\"a\":".repeat(100_000),
                "{\"a\":".repeat(100) + "1" + "}".repeat(100));
    }

    @ParameterizedTest
    @MethodSource("noObjects")
    void damagedMetadataIsRejected(String metadata) {
        STORAGE.forEach(
                (name, storage) -> {
                    var fault = fault(storage, name, metadata);
                    assertEquals("metadata", fault.parameter(), fault::getMessage);
                    assertTrue(
                            fault.requirement().startsWith(name + " must have "),
                            fault::getMessage);
                });
    }

    /// Not kept in memory: many fields may share one metadata.
    @Test
    void arraysHaveAtMost1024Elements() {
        for (int count : new int[] {1024, 1025}) {
            String metadata = "{\"shape\":[" + "1,".repeat(count - 1) + "6]}";
            ArrowField storage = STORAGE.get("arrow.fixed_shape_tensor");
            ArrowField field = marked(storage, "arrow.fixed_shape_tensor", metadata);
            if (count == 1024) {
                assertTrue(ExtensionType.of(field).isPresent());
            } else {
                assertEquals(
                        "arrow.fixed_shape_tensor must have at most 1024 elements in shape",
                        fault(storage, "arrow.fixed_shape_tensor", metadata).requirement());
            }
        }
        ArrowField storage = STORAGE.get("arrow.variable_shape_tensor");
        String metadata = "{\"permutation\":[" + "1,".repeat(400_000) + "6]}";
        assertEquals(
                "arrow.variable_shape_tensor must have one element of permutation for each of its"
                        + " 2 dimensions, not 400001",
                fault(storage, "arrow.variable_shape_tensor", metadata).requirement());
    }

    /// A message tells where the text is wrong.
    @Test
    void faultsOfMetadataHavePositions() {
        assertTrue(
                fault(field("o", BINARY), "arrow.opaque", "{\"type_name\": \"x\",,}")
                        .getMessage()
                        .matches(
                                "arrow\\.opaque must have a JSON object as its metadata,"
                                        + " Unexpected character .* at column 1[789]:"
                                        + " field=o, metadata=.*"));
    }

    @Test
    void sixtyFourLevelsAreRead() {
        String deep = "{\"type_name\":\"a\",\"vendor_name\":\"b\",\"new\":";
        String metadata = deep + "[".repeat(63) + "]".repeat(63) + "}";
        ArrowField field = marked(field("o", BINARY), "arrow.opaque", metadata);
        assertEquals(new Opaque("a", "b"), ExtensionType.of(field).orElseThrow());
        fault(field("o", BINARY), "arrow.opaque", deep + "[".repeat(64) + "]".repeat(64) + "}");
    }

    private static final List<String> SEEDS =
            List.of(
                    "{\"shape\":[2,3],\"permutation\":[1,0],\"dim_names\":[\"x\",\"y\"]}",
                    "{\"dim_names\":[\"H\",\"\\u0057\"],\"uniform_shape\":[400,null]}",
                    "{\"type_name\":\"geometry\",\"vendor_name\":\"PostGIS\\n\"}",
                    "{\"new\":{\"a\":[1,-2.5e3,true,null]},\"shape\":[]}");

    private static final List<String> PIECES =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "\"",
                    "\\",
                    "null",
                    "-",
                    "0",
                    "1e9",
                    "\\u",
                    "\\ud800",
                    "9223372036854775808",
                    "\"shape\"",
                    "\"permutation\"",
                    " ",
                    "\0",
                    "\ud83d",
                    "🙂",
                    "\u2028",
                    "NaN",
                    "2",
                    "6",
                    "/*");

    private static final int EDITS = CaseCount.of(2_000, 30_000);

    /// Edits, each of them read as each of four types: each of which either leaves a type that can
    /// be written and read again, or ends in the message.
    @Test
    void editedMetadataIsReadOrRefused() {
        Random random = new Random(20);
        int read = 0;
        int refused = 0;
        List<Map.Entry<String, ArrowField>> storages =
                STORAGE.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
        for (int i = 0; i < EDITS; i++) {
            String metadata = edited(random);
            for (var storage : storages) {
                if (isRead(storage.getKey(), storage.getValue(), metadata)) {
                    read++;
                } else {
                    refused++;
                }
            }
        }
        System.out.printf("Edited metadata: %d read, %d refused%n", read, refused);
        assertTrue(read > EDITS / 25 && refused > EDITS / 5 * 2);
    }

    private static boolean isRead(String name, ArrowField storage, String metadata) {
        // Not a text that a field can have: bytes would have something else in its place.
        if (metadata.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
            return false;
        }
        ArrowField field = marked(storage, name, metadata);
        try {
            ExtensionType type = ExtensionType.of(field).orElseThrow();
            assertEquals(type, ExtensionType.of(type.applyTo(storage)).orElseThrow());
            return true;
        } catch (InvalidSchemaException e) {
            assertTrue(e.getMessage().startsWith(name), e::getMessage);
            return false;
        }
    }

    private static String edited(Random random) {
        StringBuilder text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
        for (int k = random.nextInt(4); k > 0; k--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 2 -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
                default -> text.insert(at, (char) random.nextInt(0x300));
            }
        }
        return text.toString();
    }
}
