// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowCase.DictionaryValues;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.Reports;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
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
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/// The JSON of each value of each row is what arrow-java's vectors hold.
class RowValuesAgreeTest {
    private static final int MOST_CHARS = 1 << 20;
    private static final int SEEDS = CaseCount.of(150, 300);

    private static int inputs;
    private static long values;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#readByArrowJava")
    void valuesAgree(RealInput input) throws IOException {
        input.assumeDecompressible();
        compare(input.bytes(), input.name(), List.of());
    }

    @Test
    void valuesOfTypesNestedAtRandomAgree() throws IOException {
        int written = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ArrowCase each = ArrowVectorFiles.random(seed);
            byte[] bytes;
            try {
                bytes = seed % 2 == 0 ? each.stream() : each.file();
            } catch (RuntimeException _) {
                continue; // arrow-java cannot write it
            }
            try {
                compare(bytes, each.name(), each.dictionaries());
                written++;
            } catch (UnsupportedOperationException _) {
                // arrow-java cannot read it
            }
        }
        System.out.printf("Values as JSON: %d of %d random schemas%n", written, SEEDS);
        assertTrue(written > SEEDS / 2, "written: " + written);
    }

    /// Dictionaries inside of others, which arrow-java writes after those.
    @Test
    void valuesOfOuterDictionariesFirstAgree() throws IOException {
        for (int levels = 2; levels <= 5; levels++) {
            ArrowCase each = ArrowVectorFiles.outerFirst(levels);
            compare(each.stream(), each.name(), each.dictionaries());
            compare(each.file(), each.name() + ", a file", each.dictionaries());
        }
    }

    @Test
    void valuesOfReportedFilesAgree() throws IOException {
        Path folder = Reports.folder();
        for (String name : List.of("nested-java12.arrow", "nested-java12.arrows")) {
            compare(Files.readAllBytes(folder.resolve(name)), name, List.of());
        }
    }

    @AfterAll
    static void report() {
        CaseCount.report("Values as JSON: %,d values of %d inputs agree", values, inputs);
    }

    private static void compare(byte[] bytes, String name, List<DictionaryValues> known)
            throws IOException {
        compare(InputBytes.of(MemorySegment.ofArray(bytes)), bytes, name, known);
        compare(InputBytes.of(new ByteArrayInputStream(bytes)), bytes, name + ", a pipe", known);
        inputs++;
    }

    private static void compare(
            InputBytes from, byte[] bytes, String name, List<DictionaryValues> known)
            throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(bytes, allocator);
                Input input = Input.of(from)) {
            RowWalk walk = new RowWalk(input, List.of());
            walk.begin();
            Oracle oracle = new Oracle(reader, known);
            while (reader.loadNextBatch()) {
                for (int row = 0; row < oracle.root.getRowCount(); row++) {
                    assertTrue(walk.next(), name);
                    List<FieldVector> columns = oracle.root.getFieldVectors();
                    for (int i = 0; i < columns.size(); i++) {
                        String expected = oracle.text(columns.get(i), oracle.fields.get(i), row);
                        String found = walk.value(i, MOST_CHARS, false);
                        assertEquals(expected, found, name + ", " + oracle.fields.get(i));
                        values++;
                    }
                }
            }
            assertFalse(walk.next(), name);
            assertNull(walk.fault(), name);
            assertNull(input.fault(), name);
        }
    }

    /// Values of arrow-java's vectors as JSON.
    private static final class Oracle {
        final ArrowReader reader;
        final org.apache.arrow.vector.VectorSchemaRoot root;
        final List<Field> fields;
        // A vector's own field leaves out names and type ids.
        final Map<Long, Field> dictionaries = new HashMap<>();

        Oracle(ArrowReader reader, List<DictionaryValues> known) throws IOException {
            known.forEach(each -> dictionaries.put(each.encoding().getId(), each.values()));
            this.reader = reader;
            root = reader.getVectorSchemaRoot();
            fields = root.getSchema().getFields();
        }

        String text(FieldVector vector, Field field, int row) throws IOException {
            if (field.getDictionary() != null) {
                if (vector.isNull(row)) {
                    return "null";
                }
                Dictionary of = reader.lookup(field.getDictionary().getId());
                if (of == null) {
                    throw new UnsupportedOperationException("arrow-java lost a dictionary");
                }
                long index = ((BaseIntVector) vector).getValueAsLong(row);
                Field known =
                        dictionaries.getOrDefault(
                                of.getEncoding().getId(), of.getVector().getField());
                return text(of.getVector(), known, (int) index);
            }
            return switch (vector) {
                case RunEndEncodedVector runs -> run(runs, field, row);
                case UnionVector union -> union(union, field, union.getTypeValue(row), row);
                case DenseUnionVector union ->
                        union(union, field, union.getTypeId(row), union.getOffset(row));
                case FieldVector any when any.isNull(row) -> "null";
                case StructVector struct -> struct(struct, field, row);
                case FixedSizeListVector list -> {
                    int size = list.getListSize();
                    yield list(list, field, (long) row * size, size);
                }
                case ListVector list -> {
                    int first = list.getElementStartIndex(row);
                    yield list(list, field, first, list.getElementEndIndex(row) - first);
                }
                case LargeListVector list -> {
                    long first = list.getOffsetBuffer().getLong(8L * row);
                    yield list(
                            list,
                            field,
                            first,
                            list.getOffsetBuffer().getLong(8L * row + 8) - first);
                }
                case ListViewVector list ->
                        list(
                                list,
                                field,
                                list.getOffsetBuffer().getInt(4L * row),
                                list.getSizeBuffer().getInt(4L * row));
                case LargeListViewVector list ->
                        list(
                                list,
                                field,
                                list.getOffsetBuffer().getLong(8L * row),
                                list.getSizeBuffer().getLong(8L * row));
                default -> single(vector, field.getType(), row);
            };
        }

        private String run(RunEndEncodedVector runs, Field field, int row) throws IOException {
            BaseIntVector ends = (BaseIntVector) runs.getRunEndsVector();
            int run = 0;
            while (ends.getValueAsLong(run) <= row) {
                run++;
            }
            return text(runs.getValuesVector(), field.getChildren().getLast(), run);
        }

        private String union(FieldVector union, Field field, int typeId, int row)
                throws IOException {
            int[] ids = ((ArrowType.Union) field.getType()).getTypeIds();
            int child = 0;
            while (ids[child] != typeId) {
                child++;
            }
            Field of = field.getChildren().get(child);
            FieldVector values = union.getChildrenFromFields().get(child);
            return "{" + quoted(of.getName()) + ": " + text(values, of, row) + "}";
        }

        private String struct(StructVector struct, Field field, int row) throws IOException {
            StringJoiner all = new StringJoiner(", ", "{", "}");
            List<Field> children = field.getChildren();
            Map<String, Integer> repeated = new HashMap<>();
            for (int i = 0; i < children.size(); i++) {
                FieldVector child = struct.getChildrenFromFields().get(i);
                String name = children.get(i).getName();
                int count = repeated.merge(name, 1, Integer::sum);
                String key = quoted(count > 1 ? name + "#" + count : name);
                all.add(key + ": " + text(child, children.get(i), row));
            }
            return all.toString();
        }

        private String list(FieldVector list, Field field, long first, long count)
                throws IOException {
            StringJoiner all = new StringJoiner(", ", "[", "]");
            FieldVector items = list.getChildrenFromFields().getFirst();
            for (long i = first; i < first + count; i++) {
                all.add(text(items, field.getChildren().getFirst(), (int) i));
            }
            return all.toString();
        }
    }

    private static String quoted(String text) {
        String escaped = text == null ? "" : text.replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"';
    }

    private static String single(FieldVector vector, ArrowType type, int row) {
        return switch (vector) {
            case BaseIntVector v when type instanceof ArrowType.Int of && !of.getIsSigned() -> {
                BigInteger ones =
                        BigInteger.ONE.shiftLeft(of.getBitWidth()).subtract(BigInteger.ONE);
                yield BigInteger.valueOf(v.getValueAsLong(row)).and(ones).toString();
            }
            case Float2Vector v -> Float.toString(v.getValueAsFloat(row));
            case FixedSizeBinaryVector v -> quoted(HexFormat.of().formatHex(v.get(row)));
            case TimeSecVector v -> time(v.get(row), ChronoUnit.SECONDS);
            case TimeMilliVector v -> time(v.get(row), ChronoUnit.MILLIS);
            case TimeMicroVector v -> time(v.get(row), ChronoUnit.MICROS);
            case TimeNanoVector v -> time(v.get(row), ChronoUnit.NANOS);
            case TimeStampVector v -> timestamp(v.get(row), (ArrowType.Timestamp) type);
            case DurationVector v -> {
                long value = DurationVector.get(v.getDataBuffer(), row);
                ChronoUnit unit = unit(((ArrowType.Duration) type).getUnit());
                yield quoted(Duration.of(value, unit).toString());
            }
            case DateMilliVector v -> {
                Instant at = Instant.ofEpochMilli(v.get(row));
                boolean isDay = at.truncatedTo(ChronoUnit.DAYS).equals(at);
                yield quoted(
                        (isDay
                                        ? DateTimeFormatter.ISO_LOCAL_DATE
                                        : DateTimeFormatter.ISO_LOCAL_DATE_TIME)
                                .format(at.atOffset(ZoneOffset.UTC)));
            }
            case IntervalYearVector v -> "{\"months\": " + v.get(row) + "}";
            case IntervalDayVector v -> {
                int days = IntervalDayVector.getDays(v.getDataBuffer(), row);
                int millis = IntervalDayVector.getMilliseconds(v.getDataBuffer(), row);
                yield "{\"days\": " + days + ", \"milliseconds\": " + millis + "}";
            }
            case IntervalMonthDayNanoVector v -> {
                var parts = v.getObject(row);
                Duration rest = parts.getDuration();
                BigInteger nanos =
                        BigInteger.valueOf(rest.getSeconds())
                                .multiply(BigInteger.valueOf(1_000_000_000))
                                .add(BigInteger.valueOf(rest.getNano()));
                yield "{\"months\": "
                        + parts.getPeriod().toTotalMonths()
                        + (", \"days\": " + parts.getPeriod().getDays())
                        + (", \"nanoseconds\": " + nanos + "}");
            }
            default -> object(vector.getObject(row), type);
        };
    }

    private static String object(Object value, ArrowType type) {
        return switch (value) {
            case byte[] bytes -> quoted(HexFormat.of().formatHex(bytes));
            case BigDecimal decimal -> decimal.toString();
            case Float number when !Float.isFinite(number) -> quoted(number.toString());
            case Double number when !Double.isFinite(number) -> quoted(number.toString());
            case Integer days when type instanceof ArrowType.Date ->
                    quoted(LocalDate.of(1970, 1, 1).plusDays(days).toString());
            case Number number -> number.toString();
            case Boolean bool -> bool.toString();
            default -> quoted(value.toString());
        };
    }

    private static String time(long value, ChronoUnit unit) {
        if (Duration.of(value, unit).toDays() > 0) { // in a golden file
            Map<ChronoUnit, String> symbols =
                    Map.of(
                            ChronoUnit.SECONDS,
                            "s",
                            ChronoUnit.MILLIS,
                            "ms",
                            ChronoUnit.MICROS,
                            "us");
            String symbol = symbols.getOrDefault(unit, "ns");
            return quoted(value + " " + symbol);
        }
        LocalTime time = LocalTime.MIDNIGHT.plus(value, unit);
        return quoted(time.format(DateTimeFormatter.ISO_LOCAL_TIME));
    }

    private static String timestamp(long value, ArrowType.Timestamp type) {
        ChronoUnit unit = unit(type.getUnit());
        String zone = type.getTimezone();
        try {
            Instant at = Instant.EPOCH.plus(value, unit);
            return quoted(
                    zone == null || zone.isEmpty()
                            ? at.atOffset(ZoneOffset.UTC)
                                    .format(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
                            : at.atZone(ZoneId.of(zone))
                                    .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
        } catch (DateTimeException _) {
            return quoted(value + " s"); // only seconds lead so far
        }
    }

    private static ChronoUnit unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> ChronoUnit.SECONDS;
            case MILLISECOND -> ChronoUnit.MILLIS;
            case MICROSECOND -> ChronoUnit.MICROS;
            case NANOSECOND -> ChronoUnit.NANOS;
        };
    }
}
