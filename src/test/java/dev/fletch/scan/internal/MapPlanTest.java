// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class MapPlanTest {
    private static final ArrowType INT = new ArrowType.Int(32, true);

    private static final List<ArrowField> FIELDS =
            List.of(
                    ArrowField.of("number", INT),
                    ArrowField.of("union", ArrowType.Union.sparse(0), ArrowField.of("number", INT)),
                    ArrowField.of(
                            "runs",
                            ArrowType.Simple.RUN_END_ENCODED,
                            ArrowField.of("run_ends", INT),
                            ArrowField.of("values", INT)));

    /// Unions and run-end encoded fields have a validity buffer in V4, and none in V5.
    @Test
    void buffersAreThoseOfTheVersion() {
        for (ArrowField field : FIELDS) {
            Schema schema = ArrowSchema.of(field).toTable(MeaningRule.values());
            MapPlan plan = new MapPlan(schema, null, 1_000, Limits.DEFAULT, true);
            for (int version : new int[] {MetadataVersion.V4, MetadataVersion.V5}) {
                assertEquals(
                        roles(BatchLayout.compile(schema, version)),
                        roles(plan.columns().layout().forVersion(version)),
                        field.name() + " " + version);
            }
        }
    }

    private static List<String> roles(BatchLayout layout) {
        List<String> roles = new ArrayList<>();
        for (int field = 0; field < layout.fieldCount(); field++) {
            for (int i = 0; i < layout.bufferCount(field); i++) {
                roles.add(layout.pathString(field) + " " + layout.role(field, i));
            }
        }
        return roles;
    }
}
