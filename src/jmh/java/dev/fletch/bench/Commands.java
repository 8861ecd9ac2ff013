// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The command on many small files, on a stream of many small batches, and on large columns, as a
/// process beside `cat` and `cp` of the same bytes. The inputs are written once to the temporary
/// directory and reused: 10 GB.
final class Commands {
    private static final int FILE_COLUMNS = 10;
    private static final int ROWS_OF_SMALL_BATCH = 3;
    private static final int TERMS = 1_000;
    private static final int LETTERS = 26;
    private static final int LONGEST_TEXT = 24;

    private final Path folder =
            Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-commands");
    private final List<Cold.Way> ways = new ArrayList<>();

    private Commands() {}

    /// The ways to measure.
    ///
    /// @param isQuick whether the inputs are small
    static List<Cold.Way> of(boolean isQuick) throws IOException {
        Commands commands = new Commands();
        Files.createDirectories(commands.folder);
        if (isQuick) {
            commands.addFiles(20, "count -r", "schema --group -r", "columns -r", "verify -r");
            commands.addStream(1_000);
            commands.addValues(TERMS, 2);
        } else {
            commands.addFiles(10_000, "count -r", "schema --group -r", "columns -r", "verify -r");
            commands.addFiles(50_000, "count -r");
            commands.addStream(5_000_000);
            commands.addValues(1_000_000, 128);
        }
        return commands.ways;
    }

    // ---- many files

    private void addFiles(int count, String... lines) throws IOException {
        Path files = files(count);
        String behind = ", %,d files".formatted(count);
        // The shell's own list of arguments has a limit.
        addShell("cat" + behind, "find '%s' -type f -exec cat {} + >/dev/null".formatted(files));
        for (String each : lines) {
            addFletch(each + behind, each, files);
        }
    }

    private Path files(int count) throws IOException {
        Path files = folder.resolve("files-%d-v%d".formatted(count, BenchInputs.FORM));
        if (!Files.exists(files)) {
            Path part = Files.createTempDirectory(folder, "files");
            byte[] content = Files.readAllBytes(WideFile.of(FILE_COLUMNS));
            for (int i = 0; i < count; i++) {
                Files.write(part.resolve("file-%05d.arrow".formatted(i)), content);
            }
            Files.move(part, files, StandardCopyOption.ATOMIC_MOVE);
        }
        return files;
    }

    // ---- one stream

    private void addStream(int batches) throws IOException {
        Path stream = values("numbers", ROWS_OF_SMALL_BATCH, batches);
        String behind = ", %,d small batches".formatted(batches);
        addShell("cat" + behind, "cat '%s' >/dev/null".formatted(stream));
        addFletch("count" + behind, "count", stream);
        addFletch("verify" + behind, "verify", stream);
    }

    // ---- large columns

    private void addValues(int rows, int batches) throws IOException {
        for (String kind : List.of("numbers", "text", "dictionary")) {
            Path stream = values(kind, rows, batches);
            String behind = ", %s, %,d MB".formatted(kind, Files.size(stream) / 1_000_000);
            Path copy = folder.resolve("copy.arrows");
            addShell("cat" + behind, "cat '%s' >/dev/null".formatted(stream));
            addFletch("verify --values" + behind, "verify --values", stream);
            addShell("cp" + behind, "cp '%s' '%s'".formatted(stream, copy));
            addFletch("convert" + behind, "convert -q --force --to=stream", stream, copy);
        }
    }

    private Path values(String kind, int rows, int batches) throws IOException {
        Path stream =
                folder.resolve(
                        "%s-%d-%d-v%d.arrows".formatted(kind, rows, batches, BenchInputs.FORM));
        if (!Files.exists(stream)) {
            Path part = Files.createTempFile(folder, kind, null);
            write(kind, part, rows, batches);
            Files.move(part, stream, StandardCopyOption.ATOMIC_MOVE);
        }
        return stream;
    }

    /// The same batch again and again.
    private static void write(String kind, Path file, int rows, int batches) throws IOException {
        Random random = new Random(1);
        DictionaryEncoding encoding =
                new DictionaryEncoding(1, false, new ArrowType.Int(Integer.SIZE, true));
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector terms = new VarCharVector("terms", allocator);
                FieldVector column = column(kind, rows, encoding, random, allocator);
                VectorSchemaRoot root = VectorSchemaRoot.of(column);
                FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE);
                ArrowStreamWriter writer =
                        new ArrowStreamWriter(
                                root,
                                new MapDictionaryProvider(new Dictionary(terms, encoding)),
                                out)) {
            terms.allocateNew();
            for (int i = 0; i < TERMS; i++) {
                terms.setSafe(i, ascii(8, random));
            }
            terms.setValueCount(TERMS);
            root.setRowCount(rows);
            for (int i = 0; i < batches; i++) {
                writer.writeBatch();
            }
            writer.end();
        }
    }

    private static FieldVector column(
            String kind,
            int rows,
            DictionaryEncoding encoding,
            Random random,
            BufferAllocator allocator) {
        switch (kind) {
            case "numbers" -> {
                BigIntVector numbers = new BigIntVector(kind, allocator);
                for (int i = 0; i < rows; i++) {
                    if (random.nextInt(10) == 0) {
                        numbers.setNull(i);
                    } else {
                        numbers.setSafe(i, i);
                    }
                }
                return numbers;
            }
            case "text" -> {
                VarCharVector text = new VarCharVector(kind, allocator);
                for (int i = 0; i < rows; i++) {
                    text.setSafe(i, ascii(random.nextInt(LONGEST_TEXT + 1), random));
                }
                return text;
            }
            default -> {
                FieldType type = new FieldType(false, encoding.getIndexType(), encoding);
                IntVector codes = new IntVector(kind, type, allocator);
                for (int i = 0; i < rows; i++) {
                    codes.setSafe(i, random.nextInt(TERMS));
                }
                return codes;
            }
        }
    }

    private static byte[] ascii(int length, Random random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(LETTERS));
        }
        return bytes;
    }

    // ---- ways

    private void addShell(String name, String line) {
        ways.add(new Cold.Way(name, "yes", "", List.of("sh", "-c", line)));
    }

    private void addFletch(String name, String words, Path... paths) {
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        for (Path each : paths) {
            arguments.add(each.toString());
        }
        ways.add(Cold.Way.fletch(name, "yes", "", arguments));
    }
}
