// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a producer wrote, read and written again in its order, has the producer's bytes.
class EmissionProducersTest {
    /// The golden files that arrow-java has written; the others are of Arrow C++. Which one it was,
    /// the order of the fields in the tables tells.
    private static final Set<String> OF_JAVA =
            Set.of(
                    "0.14.1/generated_decimal.arrow_file",
                    "0.14.1/generated_decimal.stream",
                    "0.14.1/generated_nested.stream",
                    "0.14.1/generated_primitive_no_batches.arrow_file",
                    "0.14.1/generated_primitive_no_batches.stream",
                    "0.14.1/generated_primitive_zerolength.arrow_file",
                    "0.14.1/generated_primitive_zerolength.stream",
                    "2.0.0-compression/generated_uncompressible_lz4.arrow_file",
                    "2.0.0-compression/generated_uncompressible_lz4.stream",
                    "2.0.0-compression/generated_uncompressible_zstd.arrow_file",
                    "2.0.0-compression/generated_uncompressible_zstd.stream",
                    "4.0.0-shareddict/generated_shared_dict.arrow_file",
                    "4.0.0-shareddict/generated_shared_dict.stream");

    /// Folders from before Arrow C++ 2.0.
    private static final Set<String> OLD = Set.of("0.14.1", "0.17.1", "1.0.0-littleendian");

    /// A type that came with Arrow 3.0: its files were put to those of 1.0.0 later.
    private static final String LATER = "generated_decimal256";

    // A frame is padded behind the flatbuffer so that the body begins at a multiple of these; a
    // footer has no frame.
    private static final int FRAME = 8;
    private static final int TENSOR_FRAME = 64;

    private final Map<EmissionOrder, RewriteRig> rigs = new EnumMap<>(EmissionOrder.class);
    private final Map<String, int[]> counts = new TreeMap<>();
    private final Set<String> different = new TreeSet<>();

    private static EmissionOrder orderOf(Path golden) {
        if (OF_JAVA.contains(Goldens.title(golden))) {
            return EmissionOrder.ARROW_JAVA;
        }
        String folder = golden.getParent().getFileName().toString();
        boolean old = OLD.contains(folder) && !Goldens.title(golden).contains(LATER);
        return old ? EmissionOrder.ARROW_CPP_1 : EmissionOrder.ARROW_CPP_3;
    }

    @Test
    void goldensComeOutAsTheyWere() {
        for (Path golden : Goldens.all()) {
            String folder = golden.getParent().getFileName().toString();
            rewrite(Goldens.title(golden), folder, orderOf(golden), Goldens.read(golden));
        }
        report("golden files");
    }

    /// The golden files of Arrow C++ on a big-endian machine: beside the others, or in the folder
    /// that the property `fletch.bigendian` names.
    @Test
    void bigEndianGoldensComeOutAsTheyWere() throws IOException {
        Path beside = Goldens.repositoryRoot().resolve("../shared/data/golden/1.0.0-bigendian");
        String named = System.getProperty("fletch.bigendian");
        Path folder = named == null ? beside.normalize() : Path.of(named);
        assumeTrue(Files.isDirectory(folder), "no golden files of 1.0.0-bigendian; skipped");
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.filter(each -> Goldens.isFile(each) || Goldens.isStream(each)).forEach(files::add);
        }
        for (Path file : files) {
            boolean isLater = file.toString().contains(LATER);
            EmissionOrder order =
                    isLater ? EmissionOrder.ARROW_CPP_3 : EmissionOrder.ARROW_CPP_1_KEY_FIRST;
            rewrite(file.getFileName().toString(), "", order, Files.readAllBytes(file));
        }
        report("big-endian golden files");
        assertTrue(files.size() >= 40, "files: " + files.size());
    }

    @Test
    void messagesOfArrowVectorComeOutAsTheyWere() {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            rewrite(each + " (stream)", "", EmissionOrder.ARROW_JAVA, each.stream());
            if (each.hasFile()) {
                rewrite(each + " (file)", "", EmissionOrder.ARROW_JAVA, each.file());
            }
        }
        report("arrow-vector");
    }

    @Test
    void messagesOfArrowCppComeOutAsTheyWere() throws IOException {
        Path folder = Goldens.repositoryRoot().resolve("src/test/resources/arrow-cpp");
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.filter(each -> each.toString().matches(".*\\.(stream|arrow)"))
                    .sorted()
                    .forEach(files::add);
        }
        for (Path file : files) {
            rewrite(
                    file.getFileName().toString(),
                    "",
                    EmissionOrder.ARROW_CPP,
                    Files.readAllBytes(file));
        }
        report("Arrow C++");
        assertTrue(files.size() >= 30, "files: " + files.size());
    }

    /// The orders are different ones: none of them does for another's producer.
    @Test
    void anotherOrderGivesOtherBytes() {
        byte[] schema =
                OracleListing.list(ArrowVectorFiles.named("custom_metadata").stream())
                        .flatbuffers()
                        .getFirst()
                        .bytes();
        List<byte[]> written = new ArrayList<>();
        for (EmissionOrder order : EmissionOrder.values()) {
            if (order != EmissionOrder.ARROW_CPP_3) { // differs in some empty vectors only
                written.add(rig(order).message(schema));
            }
        }
        for (int i = 0; i < written.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertTrue(!Arrays.equals(written.get(i), written.get(j)), i + " and " + j);
            }
        }
    }

    private RewriteRig rig(EmissionOrder order) {
        return rigs.computeIfAbsent(order, RewriteRig::new);
    }

    private void rewrite(String title, String version, EmissionOrder order, byte[] content) {
        for (Flatbuffer each : OracleListing.list(content).flatbuffers()) {
            byte[] written =
                    each.isFooter()
                            ? rig(order).footer(each.bytes())
                            : rig(order).message(each.bytes());
            boolean same = isSame(each, written);
            int[] count = counts.computeIfAbsent(version + " " + each.kind(), _ -> new int[2]);
            count[0] += same ? 1 : 0;
            count[1]++;
            if (!same) {
                different.add(title);
            }
        }
    }

    /// Equal but for the zeros that the frame is filled up with.
    private static boolean isSame(Flatbuffer original, byte[] written) {
        byte[] bytes = original.bytes();
        int frame =
                switch (original.kind()) {
                    case "Tensor", "SparseTensor" -> TENSOR_FRAME;
                    case Flatbuffer.FOOTER -> 1;
                    default -> FRAME;
                };
        int padding = bytes.length - written.length;
        if (padding < 0 || padding >= frame) {
            return false;
        }
        return Arrays.equals(Arrays.copyOf(written, bytes.length), bytes);
    }

    private void report(String what) {
        StringBuilder text = new StringBuilder(what).append(", identical when written again:");
        counts.forEach(
                (kind, count) ->
                        text.append("%n  %s: %d of %d".formatted(kind, count[0], count[1])));
        System.out.println(text);
        assertTrue(!counts.isEmpty(), what);
        assertEquals(Set.of(), different);
    }
}
