// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RandomTables;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What is mutated: all roots, all headers, all tables, as real producers and random ones write
/// them.
final class Seeds {
    /// Longer ones cost more time than they bring; those that are wanted are made on purpose.
    private static final int MAX_BYTES = 2_500;

    private static final int RANDOM_PER_TABLE = 8;
    private static final int RANDOM_PER_ROOT = 40;

    private final List<Seed> seeds = new ArrayList<>();
    private final Set<ByteBuffer> seen = new HashSet<>();

    private Seeds() {}

    /// Returns the seeds, always the same ones. The golden files are among them only on request:
    /// not every clone has them, and the cases of a seed number shall be the same in each.
    static List<Seed> all(boolean withGoldens) {
        Seeds seeds = new Seeds();
        seeds.randomTables();
        seeds.arrowVector();
        seeds.large();
        if (withGoldens) {
            seeds.goldens();
        }
        return List.copyOf(seeds.seeds);
    }

    private void add(String name, Root root, byte[] bytes) {
        if (seen.add(ByteBuffer.wrap(bytes))) {
            seeds.add(Seed.of(name, root, bytes));
        }
    }

    private void addSmall(String name, Root root, byte[] bytes) {
        if (bytes.length <= MAX_BYTES) {
            add(name, root, bytes);
        }
    }

    private void randomTables() {
        for (Root root : Root.values()) {
            for (long seed = 0; seed < RANDOM_PER_ROOT; seed++) {
                byte[] bytes = RandomTables.bytes(root.table(), seed);
                addSmall("random " + root.table() + " " + seed, root, bytes);
            }
            addSmall("full " + root.table(), root, WholeTrees.full(root));
        }
        WholeTrees.randomAlongPaths(RANDOM_PER_TABLE, this::addSmall);
    }

    private void arrowVector() {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] bytes = each.hasFile() ? each.file() : each.stream();
            listing("arrow-vector " + each.name(), bytes);
        }
    }

    private void goldens() {
        for (Path golden : Goldens.all()) {
            listing(Goldens.title(golden), Goldens.read(golden));
        }
    }

    private void listing(String name, byte[] content) {
        List<Flatbuffer> all = OracleListing.list(content).flatbuffers();
        for (int i = 0; i < all.size(); i++) {
            Flatbuffer each = all.get(i);
            if (each.isFooter()) {
                addSmall(name + " footer", Root.FOOTER, each.bytes());
            } else {
                addSmall(name + " message " + i, Root.MESSAGE, each.bytes());
            }
        }
    }

    /// Also two in which slots and sizes of vtables of 15 and 16 bits lead to something.
    private void large() {
        for (int columns : new int[] {1, 10, 60}) {
            add("schema of " + columns, Root.MESSAGE, LargeSchemas.schemaMessage(columns));
            add("batch of " + columns, Root.MESSAGE, LargeSchemas.recordBatchMessage(columns));
        }
        for (int columns : new int[] {450, 1_000}) {
            add("schema of " + columns, Root.MESSAGE, LargeSchemas.schemaMessage(columns));
        }
    }
}
