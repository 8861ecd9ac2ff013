// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_RUN_END_ORDER;
import static dev.fletch.ValueRule.VALUE_RUN_END_RANGE;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;

import java.util.List;

/// Run ends that do not ascend, or end before the last value. A search for the run of a row that
/// expects sound run ends then ends outside the runs: arrow-rs before 60.1 read there.
final class RunCases {
    private static final int ROWS = 6;

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        RunCases made = new RunCases();
        for (int bits : new int[] {Short.SIZE, Integer.SIZE, Long.SIZE}) {
            made.runs(bits);
        }
        return made.list.cases;
    }

    static FbsValue.Table runField(int bits, FbsValue.Table values) {
        FbsValue.Table ends = required(integer("run_ends", bits));
        return field("runs", Type.RUN_END_ENCODED, table("RunEndEncoded"), ends, values);
    }

    /// Runs of numbers.
    static Column runs(int bits, int rows, long... ends) {
        FbsValue.Table field = runField(bits, INT8);
        int runs = ends.length;
        return new Column(
                field,
                rows,
                to ->
                        to.node(rows, 0)
                                .node(runs, 0, NONE, numbers(bits, ends))
                                .node(runs, 0, NONE, new byte[runs]));
    }

    private void runs(int bits) {
        String layout = "run_end_encoded<int" + bits + ">";
        Column sound = runs(bits, ROWS, 1, 3, ROWS);
        list.add(
                VALUE_RUN_END_RANGE,
                "run-ends-short-" + bits,
                layout,
                "the last run ends one value before the last one",
                sound,
                runs(bits, ROWS, 1, 3, ROWS - 1));
        list.add(
                VALUE_RUN_END_RANGE,
                "run-end-wraps-" + bits,
                layout,
                "the only run end, seen as an unsigned number, is behind the last value",
                runs(bits, ROWS, ROWS),
                runs(bits, ROWS, -ROWS),
                VALUE_RUN_END_ORDER);
        list.add(
                VALUE_RUN_END_ORDER,
                "run-ends-equal-" + bits,
                layout,
                "the second run is empty",
                sound,
                runs(bits, ROWS, 1, 1, ROWS));
        list.add(
                VALUE_RUN_END_ORDER,
                "run-ends-descend-" + bits,
                layout,
                "the second run ends before the first",
                sound,
                runs(bits, ROWS, 4, 3, ROWS));
        list.add(
                VALUE_RUN_END_ORDER,
                "run-ends-descend-at-end-" + bits,
                layout,
                "the last run ends before the second, which ends behind the last value",
                sound,
                runs(bits, ROWS, 1, ROWS + 1, ROWS));
        list.add(
                VALUE_RUN_END_ORDER,
                "run-ends-last-is-small-" + bits,
                layout,
                "the last run end is 1, and the second that of the last value",
                sound,
                runs(bits, ROWS, 1, ROWS, 1));
        list.add(
                VALUE_RUN_END_ORDER,
                "run-end-zero-" + bits,
                layout,
                "the first run end is 0",
                sound,
                runs(bits, ROWS, 0, 3, ROWS));
        list.add(
                VALUE_RUN_END_ORDER,
                "run-end-negative-" + bits,
                layout,
                "the first run end is -1",
                sound,
                runs(bits, ROWS, -1, 3, ROWS));
        // The run ends may end behind the last value: then the runs are those of a slice.
        list.add(
                VALUE_RUN_END_ORDER,
                "run-ends-of-slice-equal-" + bits,
                layout,
                "two runs end in one value behind the last one",
                runs(bits, 2, 1, 5),
                runs(bits, 2, 5, 5));
    }
}
