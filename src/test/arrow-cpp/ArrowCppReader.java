// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

import dev.fletch.testdata.ArrowVectorReading;

import org.apache.arrow.dataset.file.FileFormat;
import org.apache.arrow.dataset.file.FileSystemDatasetFactory;
import org.apache.arrow.dataset.jni.NativeMemoryPool;
import org.apache.arrow.dataset.scanner.ScanOptions;
import org.apache.arrow.dataset.scanner.Scanner;
import org.apache.arrow.dataset.source.Dataset;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Reads files with Arrow C++, a path per line of standard input. Prints a line per file: `ok`, the rows of
/// its batches and a hash of its values; or `error` and what C++ says; then `end`. Runs in a process of its own, from its source.
final class ArrowCppReader {
    private static final long ROWS_OF_A_BATCH = 1 << 20;

    private ArrowCppReader() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader paths =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String each = paths.readLine(); each != null; each = paths.readLine()) {
            System.out.println(read(Path.of(each)) + "\tend");
        }
    }

    private static String read(Path file) {
        NativeMemoryPool pool = NativeMemoryPool.getDefault();
        try (BufferAllocator allocator = new RootAllocator();
                FileSystemDatasetFactory factory =
                        new FileSystemDatasetFactory(
                                allocator, pool, FileFormat.ARROW_IPC, file.toUri().toString());
                Dataset dataset = factory.finish();
                Scanner scanner = dataset.newScan(new ScanOptions(ROWS_OF_A_BATCH));
                ArrowReader reader = scanner.scanBatches()) {
            ArrowVectorReading reading = ArrowVectorReading.read(reader);
            return "ok\t"
                    + reading.batchRows()
                    + "\t"
                    + String.join("", reading.values()).hashCode();
        } catch (Exception e) {
            return "error\t" + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        }
    }
}
