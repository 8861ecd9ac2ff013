// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli;
import dev.fletch.command.Frames;
import dev.fletch.format.Message;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A schema of values prints as `fletch schema` prints its bytes, which knows invalid ones too.
class ModelTextAgreesTest {
    private static final int FIELDS_OF_A_SCHEMA = 64;

    private static void assertSame(ArrowSchema schema, byte[] input) {
        assertEquals(Cli.runAloneWithInput(input, "schema", "-").out(), schema + "\n");
    }

    private static ArrowSchema first(byte[] input) {
        var message = OracleListing.list(input).messages().getFirst();
        return ModelTables.schema(new Message().wrap(message.metadata()));
    }

    @Test
    void textsOfRandomSchemasAgree() {
        for (int seed = 0; seed < 500; seed++) {
            ArrowSchema schema = RandomSchemas.schema(seed);
            assertSame(schema, Frames.schemaStream(ModelTables.schema(schema), seed));
        }
    }

    @Test
    void everyKindOfCharacter() {
        List<ArrowField> fields = new ArrayList<>();
        for (int c = 0; c < Character.MIN_SURROGATE; c += c < 0x3000 ? 1 : 97) {
            String name = "a" + (char) c + (c % 2 == 0 ? "b" : "");
            fields.add(ArrowField.of(name, new ArrowType.Null()).withMetadata(name, name));
        }
        for (int first = 0; first < fields.size(); first += FIELDS_OF_A_SCHEMA) {
            int end = Math.min(first + FIELDS_OF_A_SCHEMA, fields.size());
            ArrowSchema schema = ArrowSchema.of(fields.subList(first, end));
            assertSame(schema, Frames.schemaStream(ModelTables.schema(schema), 0));
        }
    }

    @Test
    void textsOfLongValuesAgree() {
        for (int length : new int[] {299, 300, 301, 302}) {
            String value = "é🙂".repeat(length / 3) + "x".repeat(length % 3);
            ArrowSchema schema = ArrowSchema.of().withMetadata("k", value);
            assertSame(schema, Frames.schemaStream(ModelTables.schema(schema), 0));
        }
    }

    @Test
    void textsOfFilesOfArrowVectorAgree() {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            assertSame(first(stream), stream);
        }
    }

    @Test
    void textsOfGoldensAgree() {
        for (Path golden : Goldens.all()) {
            if (Goldens.isStream(golden)) {
                byte[] stream = Goldens.read(golden);
                assertSame(first(stream), stream);
            }
        }
    }
}
