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

import java.nio.file.Path;

/// Reads a sound file and a broken one with Arrow C++: arguments are their paths. Prints what
/// `PeerReader` prints. Compiled by `CorpusPeers`: arrow-dataset is not on the class path of the
/// tests.
final class ArrowCppPeer {
    private static final long ROWS_OF_A_BATCH = 1 << 20;

    private ArrowCppPeer() {}

    public static void main(String[] arguments) {
        PeerReader.compare(ArrowCppPeer::read, Path.of(arguments[0]), Path.of(arguments[1]));
        System.out.flush();
        Runtime.getRuntime().halt(0); // allocators of a refused file are not closed in order
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
