// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Message;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/// What arrow-java's own `Schema` says of a message is what the model says of it, property by
/// property.
class ArrowJavaAgreesTest {
    private static int compared;

    static List<ArrowCase> cases() {
        return ArrowVectorFiles.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void schemaHasThePropertiesThatArrowJavaReads(ArrowCase each) {
        OracleFile listing = OracleListing.list(each.stream());
        ArrowSchema model =
                ModelTables.schema(new Message().wrap(listing.messages().getFirst().metadata()));
        // It writes decimals of 32 and 64 bits, and refuses to read them.
        boolean isReadable = each.isReadByArrowJava();
        Schema theirs = isReadable ? Schema.convertSchema(listing.schema()) : each.schema();
        assertSame(theirs, model);
    }

    static void assertSame(Schema theirs, ArrowSchema model) {
        assertEquals(theirs.getCustomMetadata(), map(model.metadata()));
        assertFields(theirs.getFields(), model.fields());
    }

    @AfterAll
    static void count() {
        System.out.printf("arrow-java: %d fields compared%n", compared);
        assertTrue(compared > 1_000);
    }

    private static Map<String, String> map(Metadata metadata) {
        Map<String, String> map = new HashMap<>();
        metadata.entries().forEach(pair -> map.put(pair.getKey(), pair.getValue()));
        return map;
    }

    private static void assertFields(List<Field> theirs, List<ArrowField> ours) {
        assertEquals(theirs.size(), ours.size());
        for (int i = 0; i < ours.size(); i++) {
            assertField(theirs.get(i), ours.get(i));
        }
    }

    private static void assertField(Field theirs, ArrowField ours) {
        compared++;
        assertEquals(
                theirs.getName(),
                ours.absent().contains(dev.fletch.format.Field.NAME_SLOT) ? null : ours.name());
        assertEquals(theirs.isNullable(), ours.isNullable());
        assertEquals(theirs.getMetadata(), map(ours.metadata()));
        assertEquals(describe(theirs.getType()), describe(ours.type()));
        var dictionary = theirs.getDictionary();
        assertEquals(dictionary != null, ours.isDictionaryEncoded());
        if (dictionary != null) {
            assertEquals(dictionary.getId(), ours.dictionary().id());
            assertEquals(dictionary.isOrdered(), ours.dictionary().ordered());
            assertEquals(
                    describe(dictionary.getIndexType()), describe(ours.dictionary().indexType()));
        }
        assertFields(theirs.getChildren(), ours.children());
    }

    // ---- both in the same words, each from its own accessors

    private static String words(Object... words) {
        return String.join(
                " ",
                IntStream.range(0, words.length)
                        .mapToObj(i -> String.valueOf(words[i]).toLowerCase(Locale.ROOT))
                        .toList());
    }

    private static String describe(org.apache.arrow.vector.types.pojo.ArrowType type) {
        String name = type.getTypeID().name();
        return switch (type) {
            case org.apache.arrow.vector.types.pojo.ArrowType.Int t ->
                    words(name, t.getBitWidth(), t.getIsSigned());
            case org.apache.arrow.vector.types.pojo.ArrowType.FloatingPoint t ->
                    words(name, t.getPrecision());
            case org.apache.arrow.vector.types.pojo.ArrowType.Decimal t ->
                    words(name, t.getPrecision(), t.getScale(), t.getBitWidth());
            case org.apache.arrow.vector.types.pojo.ArrowType.Date t -> words(name, t.getUnit());
            case org.apache.arrow.vector.types.pojo.ArrowType.Time t ->
                    words(name, t.getUnit(), t.getBitWidth());
            case org.apache.arrow.vector.types.pojo.ArrowType.Timestamp t ->
                    words(name, t.getUnit(), t.getTimezone());
            case org.apache.arrow.vector.types.pojo.ArrowType.Interval t ->
                    words(name, t.getUnit());
            case org.apache.arrow.vector.types.pojo.ArrowType.Duration t ->
                    words(name, t.getUnit());
            case org.apache.arrow.vector.types.pojo.ArrowType.FixedSizeBinary t ->
                    words(name, t.getByteWidth());
            case org.apache.arrow.vector.types.pojo.ArrowType.FixedSizeList t ->
                    words(name, t.getListSize());
            case org.apache.arrow.vector.types.pojo.ArrowType.Map t ->
                    words(name, t.getKeysSorted());
            case org.apache.arrow.vector.types.pojo.ArrowType.Union t ->
                    words(
                            name,
                            t.getMode(),
                            IntStream.of(Objects.requireNonNull(t.getTypeIds())).boxed().toList());
            default -> words(name);
        };
    }

    private static String describe(ArrowType type) {
        String name =
                type instanceof ArrowType.Simple simple
                        ? simple.name().replace("_", "")
                        : type.getClass().getSimpleName();
        return switch (type) {
            case ArrowType.Int t -> words(name, t.bitWidth(), t.isSigned());
            case ArrowType.FloatingPoint t -> words(name, t);
            case ArrowType.Decimal t -> words(name, t.precision(), t.scale(), t.bitWidth());
            case ArrowType.Date t -> words(name, t);
            case ArrowType.Time t -> words(name, t.unit(), t.bitWidth());
            case ArrowType.Timestamp t -> words(name, t.unit(), t.timezone());
            case ArrowType.Interval t -> words(name, t);
            case ArrowType.Duration t -> words(name, t.unit());
            case ArrowType.FixedSizeBinary t -> words(name, t.byteWidth());
            case ArrowType.FixedSizeList t -> words(name, t.listSize());
            case ArrowType.Map t -> words(name, t.keysSorted());
            case ArrowType.Union t ->
                    words(name, t.isDense() ? UnionMode.Dense : UnionMode.Sparse, t.typeIds());
            default -> words(name);
        };
    }
}
