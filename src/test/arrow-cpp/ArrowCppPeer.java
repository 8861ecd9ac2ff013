// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

import dev.fletch.corpus.PeerReader;

import org.apache.arrow.dataset.file.FileFormat;
import org.apache.arrow.dataset.file.FileSystemDatasetFactory;
import org.apache.arrow.dataset.jni.NativeMemoryPool;
import org.apache.arrow.dataset.scanner.ScanOptions;
import org.apache.arrow.dataset.scanner.Scanner;
import org.apache.arrow.dataset.source.Dataset;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/// Reads sound files and broken ones with Arrow C++. Takes the lines that `PeerReader` takes, and
/// prints what it prints. Compiled by `CorpusPeers`: arrow-dataset is not on the class path of the
/// tests.
final class ArrowCppPeer {
    private static final long ROWS_OF_A_BATCH = 1 << 20;

    private ArrowCppPeer() {}

    public static void main(String[] arguments) throws Exception {
        load();
        PeerReader.compareAll(Map.of("arrow-cpp", ArrowCppPeer::read));
        Runtime.getRuntime().halt(0); // allocators of a refused file are not closed in order
    }

    /// Loads Arrow C++. Deletes the copies of the libraries at once: a killed process would leave
    /// 77 MB behind.
    private static void load() throws IOException {
        Path folder = Files.createTempDirectory("arrow-cpp");
        String before = System.setProperty("java.io.tmpdir", folder.toString());
        org.apache.arrow.dataset.jni.JniLoader.get().ensureLoaded();
        org.apache.arrow.c.jni.JniLoader.get().ensureLoaded();
        System.setProperty("java.io.tmpdir", before);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }

    private static String read(Path file) throws Exception {
        BufferAllocator allocator = new RootAllocator();
        NativeMemoryPool pool = NativeMemoryPool.getDefault();
        FileSystemDatasetFactory factory =
                new FileSystemDatasetFactory(
                        allocator, pool, FileFormat.ARROW_IPC, file.toUri().toString());
        Dataset dataset = factory.finish();
        Scanner scanner = dataset.newScan(new ScanOptions(ROWS_OF_A_BATCH));
        ArrowReader reader = scanner.scanBatches();
        StringBuilder text = new StringBuilder();
        while (next(reader, text)) {
            try {
                PeerReader.append(reader, text);
            } catch (RuntimeException e) {
                text.append("values that arrow-java cannot show: ").append(e);
            }
        }
        return text.toString();
    }

    /// C++ hands its batches to arrow-java, which checks some lengths and offsets. What only
    /// arrow-java refuses, C++ has accepted.
    private static boolean next(ArrowReader reader, StringBuilder text) throws Exception {
        try {
            return reader.loadNextBatch();
        } catch (RuntimeException e) {
            if (isOfCpp(e)) {
                throw e;
            }
            text.append("a batch that arrow-java cannot load: ").append(e);
            return false;
        }
    }

    private static boolean isOfCpp(Exception e) {
        return e.getStackTrace().length > 0
                && e.getStackTrace()[0].getClassName().endsWith("JniWrapper");
    }
}
