// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What `fletch count` adds up of goldens; others are in `golden/commands/count-ls.txt`.
class CountCommandTest {
    @Test
    void rowsOfAllGoldensAreCountedInOneCall() {
        List<Path> goldens = Goldens.all();
        List<String> args = new ArrayList<>(List.of("count"));
        goldens.forEach(golden -> args.add(golden.toString()));
        long rows = 0;
        int batches = 0;
        List<Object> objects = new ArrayList<>();
        List<String> lines = new ArrayList<>(List.of("rows batches file"));
        for (Path golden : goldens) {
            OracleFile oracle = OracleListing.list(Goldens.read(golden));
            long count = oracle.recordBatches().size();
            lines.add(oracle.rows() + " " + count + " " + golden);
            objects.add(
                    Map.of(
                            "file",
                            golden.toString(),
                            "container",
                            oracle.container().title(),
                            "batches",
                            count,
                            "rows",
                            oracle.rows()));
            rows += oracle.rows();
            batches += (int) count;
        }
        lines.add(rows + " " + batches + " total");

        Run run = Cli.run(args.toArray(String[]::new));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(
                lines, run.lines().stream().map(l -> l.strip().replaceAll(" +", " ")).toList());

        args.add("--json");
        assertEquals(objects, Cli.run(args.toArray(String[]::new)).json());
        System.out.printf("count: %d goldens, %d rows%n", goldens.size(), rows);
    }
}
