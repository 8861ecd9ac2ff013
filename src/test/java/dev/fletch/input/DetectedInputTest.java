// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.FlatcDocument;
import dev.fletch.input.DetectedInput.Form;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.Map;

/// Single flatbuffers are told by what they have: flatc's output, with and without optional fields.
class DetectedInputTest {
    /// What distinguishes a root table from the others.
    private static final Map<String, String> NEEDED =
            Map.of("Message", "header", "Footer", "schema", "Schema", "fields");

    @Test
    void rootTableOfFlatcOutputIsDetected() {
        int detected = 0;
        for (FlatcDocument each : FlatcDocument.all()) {
            String needed = NEEDED.get(each.root());
            if (needed == null || !each.content().containsKey(needed)) {
                continue;
            }
            for (boolean shared : new boolean[] {false, true}) {
                byte[] bytes = each.compiled(shared);
                assertRoot(each, DetectedInput.of(MemorySegment.ofArray(bytes)));
                byte[] text = Base64.getEncoder().encode(bytes);
                assertRoot(each, DetectedInput.of(MemorySegment.ofArray(text)));
                detected += 2;
            }
        }
        System.out.println("Single flatbuffers detected: " + detected);
        assertTrue(detected > 100, "detected: " + detected);
    }

    private static void assertRoot(FlatcDocument document, DetectedInput input) {
        assertEquals(Form.FLATBUFFER, input.form(), document::title);
        assertEquals(document.root(), input.root().table(), document::title);
    }
}
