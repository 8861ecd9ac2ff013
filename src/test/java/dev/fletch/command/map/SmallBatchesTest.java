// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.fletch.scan.internal.SmallBatches;

import org.junit.jupiter.api.Test;

/// When an input is named as one of many small batches. What commands print is in
/// `golden/commands/map.txt`.
class SmallBatchesTest {
    @Test
    void onlyManyBatchesThatAreMostlyMetadataAreNamed() {
        assertNull(SmallBatches.text(99, 300, 900, 1000));
        assertNull(SmallBatches.text(100, 300, 499, 1000));
        assertEquals(
                "5,000 batches of 3 rows on average: metadata is 65 % of the bytes",
                SmallBatches.text(5_000, 15_400, 650, 1000));
    }
}
