// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.VariableShapeTensor;
import dev.fletch.testdata.SegmentBytes;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Tensors of variable shape: three, and a null between them, of two dimensions.
class TensorValuesTest {
    private static final int DIMENSIONS = 2;
    private static final int ALL_VALID = 0b1111;
    private static final int[] OFFSETS = {0, 6, 6, 6, 11};
    private static final int[] SHAPES = {2, 3, /* null: */ -1, 7, 0, 5, 5, 1};

    private final List<String> found = new ArrayList<>();

    /// The path of the tensors.
    private String root = "tensor";

    /// @param metadata of the type
    private static ArrowSchema schema(String metadata, int dimensions) {
        return ArrowSchema.of(
                ArrowField.of(
                                "tensor",
                                ArrowType.Simple.STRUCT,
                                ArrowField.of(
                                        "data",
                                        ArrowType.Simple.LIST,
                                        ArrowField.of("item", new ArrowType.Int(8, true))),
                                ArrowField.of(
                                                "shape",
                                                new ArrowType.FixedSizeList(dimensions),
                                                ArrowField.of("item", new ArrowType.Int(32, true)))
                                        .nullable())
                        .nullable()
                        .withMetadata(
                                Metadata.of(
                                        ExtensionType.NAME_KEY,
                                        VariableShapeTensor.NAME,
                                        ExtensionType.METADATA_KEY,
                                        metadata)));
    }

    private List<String> faults(String metadata, int[] offsets, int[] shapes) {
        return faults(metadata, offsets, shapes, ALL_VALID);
    }

    private List<String> faults(String metadata, int[] offsets, int[] shapes, int validShapes) {
        ArrowSchema schema = schema(metadata, DIMENSIONS);
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        BatchCursor cursor = bound(layout, layout, offsets, shapes, validShapes);
        found.clear();
        new ValueVerifier(schema.toTable(), layout)
                .verify(cursor, null, each -> found.add(text((ValueFault) each)));
        return found;
    }

    /// Binds a batch.
    ///
    /// @param all of its fields
    /// @param as the fields that are read
    private BatchCursor bound(
            BatchLayout all, BatchLayout as, int[] offsets, int[] shapes, int validShapes) {
        BatchBuilder batch = new BatchBuilder(all).begin(4);
        batch.buffer(all.field(root), BufferRole.VALIDITY, bits(0b1101));
        batch.buffer(all.field(root + ".data"), BufferRole.OFFSETS, numbers(offsets));
        batch.length(all.field(root + ".data.item"), 11);
        MemorySegment data = MemorySegment.ofArray(new byte[11]);
        batch.buffer(all.field(root + ".data.item"), BufferRole.DATA, data);
        batch.buffer(all.field(root + ".shape"), BufferRole.VALIDITY, bits(validShapes));
        batch.buffer(all.field(root + ".shape.item"), BufferRole.DATA, numbers(shapes));
        batch.encode();
        MemorySegment body = MemorySegment.ofArray(SegmentBytes.of(batch.body()));
        return new BatchCursor().bind(as, new Message().wrap(batch.message())).body(body);
    }

    private static MemorySegment bits(int bits) {
        return MemorySegment.ofArray(new byte[] {(byte) bits});
    }

    private static String text(ValueFault fault) {
        return "%s row %d: %d, limit %d"
                .formatted(fault.rule().id(), fault.row(), fault.value(), fault.limit());
    }

    private static MemorySegment numbers(int[] values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return MemorySegment.ofArray(bytes.array());
    }

    private static int[] with(int[] values, int at, int value) {
        int[] changed = values.clone();
        changed[at] = value;
        return changed;
    }

    /// @param expected rule, row, value and limit of each fault
    private void assertFaults(List<String> faults, String... expected) {
        assertEquals(List.of(expected), faults);
    }

    @Test
    void tensorsOfTheirShapesAreSound() {
        assertFaults(faults("", OFFSETS, SHAPES));
        assertFaults(faults("{\"uniform_shape\":[null,null]}", OFFSETS, SHAPES));
    }

    @Test
    void shapesAndSizesThatDoNotFitAreFaults() {
        assertFaults(
                faults("", OFFSETS, with(SHAPES, 0, -2)), "value-tensor-shape row 0: -2, limit 0");
        assertFaults(
                faults("", OFFSETS, with(SHAPES, 7, -1)), "value-tensor-shape row 3: -1, limit 0");
        for (int size : new int[] {0, 5}) {
            List<String> found = faults("{\"uniform_shape\":[" + size + ",null]}", OFFSETS, SHAPES);
            String row = "value-tensor-shape row %d: %d, limit " + size;
            assertFaults(
                    found,
                    row.formatted(0, 2),
                    size == 0 ? row.formatted(3, 5) : row.formatted(2, 0));
        }
        assertFaults(
                faults("", OFFSETS, with(SHAPES, 1, 4)), "value-tensor-size row 0: 6, limit 8");
        assertFaults(
                faults("", with(OFFSETS, 4, 10), SHAPES), "value-tensor-size row 3: 4, limit 5");
        int most = Integer.MAX_VALUE;
        assertFaults(
                faults("", OFFSETS, with(with(SHAPES, 0, most), 1, most)),
                "value-tensor-size row 0: 6, limit " + (long) most * most);
    }

    /// Values below a null may be cleared: below a parent, a shape of zeros is sound with any size.
    @Test
    void clearedShapeBelowAParentIsSound() {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of(
                                "parent",
                                ArrowType.Simple.STRUCT,
                                schema("", DIMENSIONS).fields().getFirst()));
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        root = "parent.tensor";
        int[] cleared = with(with(SHAPES, 0, 0), 1, 0);
        for (int[] shapes : List.of(SHAPES, cleared, with(SHAPES, 1, 0), with(SHAPES, 0, 0))) {
            found.clear();
            new ValueVerifier(schema.toTable(), layout)
                    .verify(
                            bound(layout, layout, OFFSETS, shapes, ALL_VALID),
                            null,
                            each -> found.add(text((ValueFault) each)));
            boolean isSound = shapes == SHAPES || shapes == cleared;
            assertEquals(
                    isSound ? List.of() : List.of("value-tensor-size row 0: 6, limit 0"), found);
        }
    }

    /// The schema is at fault, not the values.
    @Test
    void malformedMetadataIsNoFaultOfValues() {
        assertFaults(faults("{", OFFSETS, with(SHAPES, 0, -2)));
    }

    @Test
    void tensorWithoutAShapeIsNotCompared() {
        assertFaults(faults("", OFFSETS, with(SHAPES, 0, -2), 0b1110));
    }

    /// A hostile type costs no memory.
    @Test
    void numberOfDimensionsMayBeAnyNumber() {
        ArrowSchema schema = schema("", Integer.MAX_VALUE);
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        new ValueVerifier(schema.toTable(), layout);
    }

    @Test
    void partOfATensorIsNoTensor() {
        ArrowSchema schema = schema("", DIMENSIONS);
        BatchLayout all = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        for (String path : List.of("tensor.data", "tensor.shape")) {
            BatchLayout part = all.choose(all.field(path));
            BatchCursor cursor = bound(all, part, OFFSETS, with(SHAPES, 0, -2), ALL_VALID);
            ValueVerifier verifier = new ValueVerifier(schema.toTable(), part);
            assertTrue(verifier.verify(cursor, null, _ -> {}), path);
        }
    }

    @Test
    void tensorBehindOtherColumnsIsChecked() {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("a", ArrowType.Simple.NULL),
                        ArrowField.of("b", ArrowType.Simple.NULL),
                        schema("", DIMENSIONS).fields().getFirst());
        BatchLayout all = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        BatchLayout chosen = all.choose(all.field("b"), all.field("tensor"));
        BatchCursor cursor = bound(all, chosen, OFFSETS, with(SHAPES, 0, -2), ALL_VALID);
        new ValueVerifier(schema.toTable(), chosen)
                .verify(cursor, null, each -> found.add(text((ValueFault) each)));
        assertFaults(found, "value-tensor-shape row 0: -2, limit 0");
    }
}
