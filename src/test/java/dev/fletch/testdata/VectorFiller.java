// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.LargeListViewVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.ListViewVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Fills vectors of any type with values, nulls among them where the field allows any. The same
/// seed gives the same values.
final class VectorFiller {
    private static final int ONE_NULL_IN = 4;
    private static final int MAX_LIST_SIZE = 3;
    private static final long DAY_MILLIS = 86_400_000L;

    /// Empty, short, longer than the 12 bytes that a view holds, of one to four bytes a character.
    private static final List<String> TEXTS =
            List.of(
                    "",
                    "a",
                    "twelve bytes",
                    "more than twelve bytes",
                    "Zürich",
                    "日本語",
                    "🙂 and 🙃 on one line");

    private final Random random;
    private final Map<Long, Integer> dictionarySizeById;

    /// @param dictionarySizeById below which an encoded field's indexes have to stay
    VectorFiller(long seed, Map<Long, Integer> dictionarySizeById) {
        this.random = new Random(seed);
        this.dictionarySizeById = dictionarySizeById;
    }

    /// Gives `vector` this many rows, all of them new.
    ///
    /// @param field as the schema has it: a vector's own leaves out names and type ids
    void fill(FieldVector vector, Field field, int rows) {
        // Run-end encoded vectors drop their children when they allocate, but don't free them.
        vector.clear();
        vector.setInitialCapacity(rows);
        vector.allocateNew();
        List<Field> children = field.getChildren();
        switch (vector) {
            case NullVector _ -> {}
            case RunEndEncodedVector runs -> fillRuns(runs, children, rows);
            case DenseUnionVector union -> fillDenseUnion(union, field, rows);
            case UnionVector union -> fillSparseUnion(union, field, rows);
            case StructVector struct -> fillStruct(struct, field, rows);
            case FixedSizeListVector list -> fillFixedSizeList(list, field, rows);
            case ListVector list -> fillList(list, field, rows);
            case LargeListVector list -> fillList(list, field, rows);
            case ListViewVector list -> fillList(list, field, rows);
            case LargeListViewVector list -> fillList(list, field, rows);
            case BaseVariableWidthViewVector views -> {
                // Its memory comes as it is, and what no value covers would go out as well.
                views.getDataBuffer().setZero(0, views.getDataBuffer().capacity());
                fillValues(vector, field, rows);
            }
            default -> fillValues(vector, field, rows);
        }
        vector.setValueCount(rows);
    }

    private boolean nextNull(Field field) {
        return field.isNullable() && random.nextInt(ONE_NULL_IN) == 0;
    }

    // ---- Types with children ----

    private void fillStruct(StructVector struct, Field field, int rows) {
        List<FieldVector> children = struct.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            fill(children.get(i), field.getChildren().get(i), rows);
        }
        for (int row = 0; row < rows; row++) {
            if (nextNull(field)) {
                struct.setNull(row);
            } else {
                struct.setIndexDefined(row);
            }
        }
    }

    private void fillFixedSizeList(FixedSizeListVector list, Field field, int rows) {
        fill(list.getDataVector(), field.getChildren().getFirst(), rows * list.getListSize());
        for (int row = 0; row < rows; row++) {
            if (nextNull(field)) {
                list.setNull(row);
            } else {
                list.setNotNull(row);
            }
        }
    }

    private void fillList(FieldVector list, Field field, int rows) {
        int[] sizes = listSizes(field, rows);
        fill(list.getChildrenFromFields().getFirst(), field.getChildren().getFirst(), total(sizes));
        for (int row = 0; row < rows; row++) {
            if (sizes[row] < 0) {
                list.setNull(row);
            } else {
                setSize(list, row, sizes[row]);
            }
        }
    }

    private static void setSize(FieldVector vector, int row, int size) {
        switch (vector) {
            case ListVector list -> {
                list.startNewValue(row);
                list.endValue(row, size);
            }
            case LargeListVector list -> {
                list.startNewValue(row);
                list.endValue(row, size);
            }
            case ListViewVector list -> {
                list.startNewValue(row);
                list.endValue(row, size);
            }
            case LargeListViewVector list -> {
                list.startNewValue(row);
                list.endValue(row, size);
            }
            default -> throw new IllegalArgumentException("not a list: " + vector.getField());
        }
    }

    /// Sizes of that many lists; -1 for a null.
    private int[] listSizes(Field field, int rows) {
        int[] sizes = new int[rows];
        for (int row = 0; row < rows; row++) {
            sizes[row] = nextNull(field) ? -1 : random.nextInt(MAX_LIST_SIZE + 1);
        }
        return sizes;
    }

    private static int total(int[] sizes) {
        int total = 0;
        for (int size : sizes) {
            total += Math.max(size, 0);
        }
        return total;
    }

    private void fillSparseUnion(UnionVector union, Field field, int rows) {
        int[] typeIds = ((ArrowType.Union) field.getType()).getTypeIds();
        List<FieldVector> children = union.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            fill(children.get(i), field.getChildren().get(i), rows);
        }
        union.setValueCount(rows);
        for (int row = 0; row < rows; row++) {
            // Not setType: that writes arrow-vector's own number of the type, whatever the schema
            // says.
            union.getTypeBuffer().setByte(row, typeIds[random.nextInt(typeIds.length)]);
        }
    }

    private void fillDenseUnion(DenseUnionVector union, Field field, int rows) {
        int[] typeIds = ((ArrowType.Union) field.getType()).getTypeIds();
        int[] counts = new int[typeIds.length];
        for (int row = 0; row < rows; row++) {
            int chosen = random.nextInt(typeIds.length);
            union.setTypeId(row, (byte) typeIds[chosen]);
            union.setOffset(row, counts[chosen]++);
        }
        List<FieldVector> children = union.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            fill(children.get(i), field.getChildren().get(i), counts[i]);
        }
    }

    private void fillRuns(RunEndEncodedVector runs, List<Field> children, int rows) {
        int count = (rows + 2) / 3;
        fill(runs.getValuesVector(), children.getLast(), count);
        fill(runs.getRunEndsVector(), children.getFirst(), count);
        BaseIntVector runEnds = (BaseIntVector) runs.getRunEndsVector();
        for (int i = 0; i < count; i++) {
            runEnds.setWithPossibleTruncate(i, Math.min(3 * (i + 1), rows));
        }
    }

    // ---- Types without children ----

    private void fillValues(FieldVector vector, Field field, int rows) {
        for (int row = 0; row < rows; row++) {
            if (nextNull(field)) {
                vector.setNull(row);
            } else if (field.getDictionary() != null) {
                int size = dictionarySizeById.get(field.getDictionary().getId());
                ((BaseIntVector) vector).setWithPossibleTruncate(row, random.nextInt(size));
            } else {
                setValue(vector, row);
            }
        }
    }

    private void setValue(FieldVector vector, int row) {
        switch (vector) {
            case BitVector bits -> bits.setSafe(row, random.nextInt(2));
            case TimeStampVector times -> times.setSafe(row, random.nextLong());
            case BaseIntVector ints -> ints.setWithPossibleTruncate(row, nextLong());
            case Float2Vector halves -> halves.setSafeWithPossibleTruncate(row, nextFloat());
            case FloatingPointVector floats -> floats.setSafeWithPossibleTruncate(row, nextFloat());
            case BaseFixedWidthVector fixed -> setFixed(fixed, row);
            case BaseVariableWidthVector texts -> texts.setSafe(row, nextText());
            case BaseLargeVariableWidthVector texts -> texts.setSafe(row, nextText());
            case BaseVariableWidthViewVector texts -> texts.setSafe(row, nextText());
            default -> throw new IllegalArgumentException("no values for " + vector.getField());
        }
    }

    private void setFixed(BaseFixedWidthVector vector, int row) {
        switch (vector) {
            case DecimalVector decimals ->
                    decimals.setSafe(row, nextDecimal(60, decimals.getScale()));
            case Decimal256Vector decimals ->
                    decimals.setSafe(row, nextDecimal(200, decimals.getScale()));
            case DateDayVector dates -> dates.setSafe(row, random.nextInt(40_000) - 10_000);
            case DateMilliVector dates ->
                    dates.setSafe(row, DAY_MILLIS * (random.nextInt(40_000) - 10_000));
            case TimeSecVector times -> times.setSafe(row, random.nextInt(86_400));
            case TimeMilliVector times -> times.setSafe(row, random.nextInt((int) DAY_MILLIS));
            case TimeMicroVector times -> times.setSafe(row, nextBelow(DAY_MILLIS * 1_000));
            case TimeNanoVector times -> times.setSafe(row, nextBelow(DAY_MILLIS * 1_000_000));
            case DurationVector durations -> durations.setSafe(row, nextLong());
            case IntervalYearVector years -> years.setSafe(row, random.nextInt(1_200) - 600);
            case IntervalDayVector days ->
                    days.setSafe(row, random.nextInt(), random.nextInt((int) DAY_MILLIS));
            case IntervalMonthDayNanoVector parts ->
                    parts.setSafe(row, random.nextInt(), random.nextInt(), nextLong());
            case FixedSizeBinaryVector bytes -> bytes.setSafe(row, nextBytes(bytes.getByteWidth()));
            default -> throw new IllegalArgumentException("no values for " + vector.getField());
        }
    }

    private BigDecimal nextDecimal(int bits, int scale) {
        BigInteger unscaled = new BigInteger(random.nextInt(bits), random);
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }

    /// Few enough digits for 16 bits.
    private float nextFloat() {
        return random.nextInt(2_000) / 16f - 50;
    }

    private long nextLong() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE;
            case 3 -> Long.MIN_VALUE;
            default -> random.nextLong();
        };
    }

    private long nextBelow(long bound) {
        return Math.floorMod(random.nextLong(), bound);
    }

    private byte[] nextText() {
        return TEXTS.get(random.nextInt(TEXTS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] nextBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
