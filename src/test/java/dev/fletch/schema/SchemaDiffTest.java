// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.FieldNames;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/// What `diff` lists and how it reads, and when two schemas mean the same.
class SchemaDiffTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);

    /// What the schemas of the rows are made of.
    private static final String PARTS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let i32 = Int(bitWidth=32 is_signed=1)
            let i64 = Int(bitWidth=64 is_signed=1)
            let d1 = DictionaryEncoding(id=1 indexType=i8)
            let k1 = KeyValue(key="k" value="1")
            let k2 = KeyValue(key="k" value="2")
            let b2 = KeyValue(key="b" value="2")
            let b3 = KeyValue(key="b" value="3")
            let a = a!:i32
            let b = b!:i32
            let c = c!:i32
            let d = d!:i32
            let x = x!:i32
            let y = y!:i32
            """;

    @ParameterizedTest
    @CsvFileSource(resources = "differences.txt", delimiter = '|', quoteCharacter = '\'')
    void differencesAreListed(String from, String to, String expected) {
        ArrowSchema before = CaseFile.schema(PARTS, from);
        ArrowSchema after = CaseFile.schema(PARTS, to);
        assertNotEquals(before, after);
        boolean isSame = expected.equals("same");
        String listed = lines(before, after);
        assertEquals(isSame, listed.isEmpty(), listed);
        assertEquals(isSame, lines(after, before).isEmpty());
        assertEquals(isSame, before.semanticallyEquals(after));
        assertEquals(isSame, before.digest(true).equals(after.digest(true)));
        if (!isSame && !expected.equals("differ")) {
            assertEquals(expected, listed);
        }
    }

    private static String lines(ArrowSchema before, ArrowSchema after) {
        return before.diff(after).stream()
                .map(SchemaChange::toString)
                .collect(Collectors.joining(" ; "));
    }

    private static ArrowSchema withPairs(String... pairs) {
        return ArrowSchema.of(ArrowField.of("a", INT32)).withMetadata(Metadata.of(pairs));
    }

    @Test
    void longTextsAreShownFromWhereTheyDiffer() {
        String start = "x".repeat(350);
        String shown = "…" + "x".repeat(20);
        assertEquals(
                "schema: metadata k %s1 (from character 330) → %s2 (from character 330)"
                        .formatted(shown, shown),
                lines(withPairs("k", start + "1"), withPairs("k", start + "2")));
    }

    /// Looking through all pairs for each key would be some 10 billion steps.
    @Test
    void diffOfManyKeysTakesLinearTime() {
        String[] before = new String[200_000];
        String[] after = new String[200_000];
        for (int i = 0; i < 100_000; i++) {
            before[2 * i] = "key " + i;
            before[2 * i + 1] = "v";
            after[2 * i] = "key " + (i + 1);
            after[2 * i + 1] = i == 49_999 ? "w" : "v";
        }
        assertEquals(
                "schema: metadata key 0 removed v ; schema: metadata key 50000 v → w ; "
                        + "schema: metadata key 100000 added v",
                lines(withPairs(before), withPairs(after)));
    }

    @Test
    void namesOfEqualHashesAreMatchedInAsMuchTime() {
        List<ArrowField> fields = new ArrayList<>();
        FieldNames.ofEqualHashes(15).forEach(name -> fields.add(ArrowField.of(name, INT32)));
        assertEquals(1, fields.stream().map(each -> each.name().hashCode()).distinct().count());
        ArrowSchema before = ArrowSchema.of(fields);
        ArrowField first = fields.removeFirst();
        fields.add(first);
        assertEquals(first.name() + ": moved 0 → 32767", lines(before, ArrowSchema.of(fields)));
    }

    /// Random changes: whether there is a difference does not depend on the direction.
    @Test
    void differencesAreSymmetric() {
        Random random = new Random(3);
        int same = 0;
        int other = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            ArrowSchema before = RandomSchemas.schema(seed);
            ArrowSchema after = changed(before, random);
            assertEquals(
                    before.diff(after).isEmpty(),
                    before.digest(true).equals(after.digest(true)),
                    () -> before + "\n" + after);
            assertEquals(
                    before.diff(after).stream()
                            .allMatch(each -> each.kind() == SchemaChange.Kind.METADATA),
                    before.digest(false).equals(after.digest(false)));
            boolean areEqual = before.semanticallyEquals(after);
            assertEquals(areEqual, after.semanticallyEquals(before), "seed " + seed);
            assertEquals(before.diff(after), before.diff(after));
            before.diff(after)
                    .forEach(change -> assertEquals(1, change.toString().lines().count()));
            if (areEqual) {
                same++;
            } else {
                other++;
            }
        }
        int sum = same + other;
        assertTrue(same > 100 && other > 100, () -> "one of them is no test: " + sum);
    }

    private static ArrowSchema changed(ArrowSchema schema, Random random) {
        List<ArrowField> fields = new ArrayList<>(schema.fields());
        if (fields.isEmpty()) {
            return schema.withAbsent(Set.of());
        }
        int at = random.nextInt(fields.size());
        ArrowField field = fields.get(at);
        switch (random.nextInt(7)) {
            case 0 -> fields.set(at, field.nullable());
            case 1 -> fields.set(at, field.withName("renamed"));
            case 2 -> fields.set(at, field.withMetadata(field.metadata().with("k", "v")));
            case 3 -> fields.add(fields.remove(at));
            case 4 -> fields.remove(at);
            case 5 -> fields.set(at, field.withAbsent(Set.of()));
            default -> fields.set(at, RandomSchemas.field(random.nextInt()));
        }
        return schema.withFields(fields);
    }
}
