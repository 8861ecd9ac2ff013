// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Fault;
import dev.fletch.MeaningRule;

import org.junit.jupiter.api.Test;

import java.util.List;

class FaultLinesTest {
    private static Fault fault(String column, int field, long offset) {
        return Fault.of(MeaningRule.DATA_SIZE, offset, 0)
                .inColumn(_ -> column, field)
                .in(3, offset);
    }

    private static List<String> columnsOf(Fault... faults) {
        return FaultLines.of(List.of(faults)).stream()
                .map(each -> each.substring(each.indexOf("column=")))
                .toList();
    }

    /// A layout of some columns, or that of a dictionary, has its own numbers.
    @Test
    void fieldsOfTwoLayoutsWithOneNumberAreTwoLines() {
        assertEquals(
                List.of("column=a; faults=2", "column=b"),
                columnsOf(fault("a", 0, 8), fault("b", 0, 16), fault("a", 0, 24)));
    }

    @Test
    void columnsOfOneNameAreTwoLines() {
        assertEquals(
                List.of("column=a", "column=a; faults=2"),
                columnsOf(fault("a", 0, 8), fault("a", 1, 16), fault("a", 1, 24)));
    }
}
