// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.util.ValueVectorUtility;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads sound inputs and broken ones with arrow-java. Each line of standard input has, with tabs
/// between them: `read` or `validate`, the path of the sound input, that of the broken one.
///
/// Prints `unsupported` if it cannot read the sound input; else `sound`, and then the outcome of
/// the broken one: `refused`, `read`, `wrong values`, `crash` or `too much memory`. A line may have
/// a tab and details. A process that ends behind `sound` has crashed.
public final class PeerReader {
    static final String READ = "read";
    static final String VALIDATE = "validate";

    // So many rows of a batch are compared: a broken input may claim 2^60.
    private static final int ROWS = 1000;
    private static final long MOST_BYTES = 256 << 20;

    private PeerReader() {}

    /// Reads all values of an input as text.
    public interface Reading {
        String of(Path file) throws Exception;
    }

    public static void main(String[] arguments) throws IOException {
        compareAll(Map.of(READ, file -> read(file, false), VALIDATE, file -> read(file, true)));
    }

    /// Prints what readers do with the inputs that standard input names.
    public static void compareAll(Map<String, Reading> readers) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        Map<String, String> texts = new HashMap<>(); // of sound inputs, by reader and path
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t");
            Reading reading = readers.get(parts[0]);
            String expected = texts.get(parts[0] + parts[1]);
            if (expected == null) {
                try {
                    expected = reading.of(Path.of(parts[1]));
                } catch (Exception e) {
                    print("unsupported", e);
                    continue;
                }
                texts.put(parts[0] + parts[1], expected);
            }
            System.out.println("sound");
            compare(reading, expected, Path.of(parts[2]));
        }
    }

    private static void compare(Reading reading, String expected, Path broken) {
        try {
            String found = reading.of(broken);
            if (found.equals(expected)) {
                System.out.println("read");
            } else {
                print("wrong values", found);
            }
        } catch (OutOfMemoryError | OutOfMemoryException e) {
            print("too much memory", e);
        } catch (Exception e) {
            boolean asksForMuch = ("" + e.getMessage()).matches("(?s).*(malloc|realloc) of size.*");
            print(asksForMuch ? "too much memory" : "refused", e);
        } catch (Error e) {
            print("crash", e);
        }
    }

    private static void print(String outcome, Object details) {
        String line = String.valueOf(details).replaceAll("\\s+", " ");
        System.out.println(outcome + "\t" + line.substring(0, Math.min(300, line.length())));
    }

    private static String read(Path file, boolean validates) throws Exception {
        try (BufferAllocator allocator = new RootAllocator(MOST_BYTES);
                ArrowReader reader = reader(file, allocator)) {
            StringBuilder text = new StringBuilder();
            while (reader.loadNextBatch()) {
                if (validates) {
                    ValueVectorUtility.validateFull(reader.getVectorSchemaRoot());
                }
                append(reader, text);
            }
            return text.toString();
        }
    }

    private static ArrowReader reader(Path file, BufferAllocator allocator) throws IOException {
        return file.toString().endsWith(".arrow")
                ? new ArrowFileReader(
                        Files.newByteChannel(file), allocator, CommonsCompressionFactory.INSTANCE)
                : new ArrowStreamReader(
                        Files.newInputStream(file), allocator, CommonsCompressionFactory.INSTANCE);
    }

    /// Appends the values of the batch that is loaded.
    public static void append(ArrowReader reader, StringBuilder text) throws IOException {
        int rows = reader.getVectorSchemaRoot().getRowCount();
        text.append("rows ").append(rows).append('\n');
        for (FieldVector each : reader.getVectorSchemaRoot().getFieldVectors()) {
            DictionaryEncoding encoding = each.getField().getDictionary();
            if (encoding == null) {
                append(each, rows, text);
            } else {
                Dictionary dictionary = reader.lookup(encoding.getId());
                try (ValueVector decoded = DictionaryEncoder.decode(each, dictionary)) {
                    append(decoded, rows, text);
                }
            }
        }
    }

    private static void append(ValueVector vector, int rows, StringBuilder text) {
        for (int row = 0; row < Math.min(rows, ROWS); row++) {
            text.append(text(vector.getObject(row))).append(' ');
        }
        text.append('\n');
    }

    private static String text(Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case List<?> list ->
                    list.stream().map(PeerReader::text).collect(Collectors.joining(",", "[", "]"));
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(each -> each.getKey() + "=" + text(each.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            case null, default -> String.valueOf(value);
        };
    }
}
