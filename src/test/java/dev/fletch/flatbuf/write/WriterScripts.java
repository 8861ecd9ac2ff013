// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.write.WriterScript.Field;
import dev.fletch.flatbuf.write.WriterScript.Shape;
import dev.fletch.flatbuf.write.WriterScript.Step;
import dev.fletch.wire.Wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Random sequences of calls. The same seed gives the same sequence.
///
/// Most are short, some have hundreds of calls; vtables repeat and differ, end in absent slots,
/// vectors of any element are often empty, so that the dialects differ.
final class WriterScripts {
    private static final List<String> TEXTS =
            List.of("", "a", "ab", "abc", "price", "Größe", "日本語", "🙂", "a\0b", "é".repeat(70));

    private final Random random;

    /// Shapes of tables that come again, as they do in real messages.
    private final List<List<Field>> shapes = new ArrayList<>();

    private WriterScripts(long seed) {
        this.random = new Random(seed);
    }

    static WriterScript random(long seed) {
        return new WriterScripts(seed).script();
    }

    /// Returns scripts of these many seeds, from 0.
    static Stream<WriterScript> first(int count) {
        return IntStream.range(0, count).mapToObj(WriterScripts::random);
    }

    private WriterScript script() {
        int most =
                switch (random.nextInt(50)) {
                    case 0 -> 300;
                    case 1, 2, 3, 4 -> 40;
                    default -> 9;
                };
        return new WriterScript(
                random.nextInt(4) == 0,
                random.nextInt(1000),
                list(1 + random.nextInt(most), this::step));
    }

    private Step step() {
        return switch (random.nextInt(16)) {
            case 0, 1 -> new WriterScript.Text(text());
            case 2, 3 -> new WriterScript.Numbers(size(), list(length(), () -> number(Long.SIZE)));
            case 4, 5 -> new WriterScript.Structs(shape(), list(length(), random::nextLong));
            case 6, 7 -> new WriterScript.Offsets(list(length(), () -> random.nextInt(1000)));
            case 8 -> new WriterScript.Align(1 << random.nextInt(6));
            default -> new WriterScript.Table(fields());
        };
    }

    private String text() {
        return random.nextBoolean()
                ? TEXTS.get(random.nextInt(TEXTS.size()))
                : "x".repeat(random.nextInt(20));
    }

    private List<Field> fields() {
        if (!shapes.isEmpty() && random.nextBoolean()) {
            return shapes.get(random.nextInt(shapes.size()));
        }
        List<Integer> free = new ArrayList<>(IntStream.range(0, Wire.SLOTS).boxed().toList());
        Collections.shuffle(free, random);
        List<Field> fields = new ArrayList<>();
        for (int i = random.nextInt(9); i > 0; i--) {
            fields.add(field(free.removeLast()));
        }
        shapes.add(fields);
        return fields;
    }

    private Field field(int slot) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new WriterScript.Reference(slot, random.nextInt(1000));
            case 2 -> new WriterScript.Nothing(slot);
            case 3 -> new WriterScript.Forced(slot, size(), number(Long.SIZE));
            case 4 -> new WriterScript.Inline(slot, shape(), random.nextLong());
            default -> scalar(slot, size());
        };
    }

    private Field scalar(int slot, int bytes) {
        long absent = number(Byte.SIZE * bytes);
        boolean same = random.nextInt(3) == 0;
        return new WriterScript.Scalar(
                slot, bytes, same ? absent : number(Byte.SIZE * bytes), absent);
    }

    private int size() {
        return 1 << random.nextInt(4);
    }

    private Shape shape() {
        return Shape.values()[random.nextInt(Shape.values().length)];
    }

    /// A signed number of so many bits.
    private long number(int bits) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(-3, 100);
            default -> random.nextLong() >> Long.SIZE - bits;
        };
    }

    private int length() {
        if (random.nextInt(60) == 0) { // so many are copied in bulk, or just not
            return Wire.FEW_LONGS - 2 + random.nextInt(random.nextBoolean() ? 5 : 200);
        }
        return random.nextInt(3) == 0 ? 0 : random.nextInt(7);
    }

    private static <T> List<T> list(int count, Supplier<T> each) {
        return Stream.generate(each).limit(count).toList();
    }
}
