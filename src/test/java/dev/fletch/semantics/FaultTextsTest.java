// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.integer;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.VerificationException;
import dev.fletch.layout.LayoutLimits;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/// What faults, their exceptions and the options of a verification of meaning say of themselves.
class FaultTextsTest {
    // ---- faults

    @Test
    void noFault() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.message(bound(bytes(message(schema(INT32), 0)))));
        Fault fault = meaning.fault();
        assertFalse(fault.isPresent());
        assertEquals("no fault", fault.toString());
        assertEquals("", fault.path());
        StringBuilder text = new StringBuilder("before");
        assertSame(text, fault.appendPath(text));
        assertEquals("before", text.toString());
        fault.orThrow();
        assertThrows(IllegalStateException.class, fault::exception);
    }

    @Test
    void faultAndItsException() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertFalse(meaning.message(bound(bytes(message(schema(integer("x", 7)), 0)))));
        Fault fault = meaning.fault();
        String path = "header.schema.fields[0].type.bitWidth";
        String line = "int-width: offset=" + fault.position() + ", path=" + path + ", value=7";
        assertEquals(line, fault.toString());
        VerificationException e = assertThrows(VerificationException.class, fault::orThrow);
        assertEquals(SemanticRules.INT_WIDTH, e.rule());
        assertEquals(fault.position(), e.offset());
        assertEquals(path, e.path());
        assertEquals(line, e.getMessage());
        // What was thrown stays as it is when the verifier goes on.
        meaning.beginStream();
        assertEquals(path, e.path());
    }

    /// Behind the value, the column that a node or a buffer belongs to.
    @Test
    void faultOfAColumn() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.message(bound(bytes(message(schema(struct(INT32)), 0)))));
        List<long[]> buffers = List.of(pair(0, 0), pair(0, 0), pair(0, -5));
        List<long[]> nodes = List.of(pair(3, 0), pair(3, 0));
        assertFalse(meaning.message(bound(bytes(message(batch(nodes, buffers), 16)))));
        String end = "path=header.recordBatch.buffers[2].length, value=-5, column=struct.int32";
        assertTrue(meaning.fault().toString().endsWith(end), meaning.fault()::toString);
    }

    /// The deeper a schema, the longer the path of its fault: however deep.
    @Test
    void pathsOfAllDepths() {
        var field = integer("x", 7);
        StringBuilder path = new StringBuilder("header.schema.fields[0]");
        for (int depth = 0; depth < 40; depth++) {
            SemanticVerifier meaning = new SemanticVerifier();
            assertFalse(meaning.message(bound(bytes(message(schema(field), 0)))));
            assertEquals(path + ".type.bitWidth", meaning.fault().path());
            field = struct(INT32, field);
            path.append(".children[1]");
        }
    }

    // ---- options

    private record Option(
            String name,
            Predicate<SemanticOptions> get,
            BiFunction<SemanticOptions, Boolean, SemanticOptions> with) {}

    private static final List<Option> OPTIONS =
            List.of(
                    new Option(
                            "checkEmptyBuffers",
                            SemanticOptions::checkEmptyBuffers,
                            SemanticOptions::withCheckEmptyBuffers),
                    new Option(
                            "checkExactCounts",
                            SemanticOptions::checkExactCounts,
                            SemanticOptions::withCheckExactCounts),
                    new Option(
                            "checkExactChildren",
                            SemanticOptions::checkExactChildren,
                            SemanticOptions::withCheckExactChildren),
                    new Option(
                            "checkBufferOrder",
                            SemanticOptions::checkBufferOrder,
                            SemanticOptions::withCheckBufferOrder),
                    new Option(
                            "checkBufferSizes",
                            SemanticOptions::checkBufferSizes,
                            SemanticOptions::withCheckBufferSizes),
                    new Option(
                            "checkFeatures",
                            SemanticOptions::checkFeatures,
                            SemanticOptions::withCheckFeatures),
                    new Option(
                            "refuseBigEndian",
                            SemanticOptions::refuseBigEndian,
                            SemanticOptions::withRefuseBigEndian));

    private static SemanticOptions of(int bits) {
        SemanticOptions options = SemanticOptions.DEFAULT;
        for (int i = 0; i < OPTIONS.size(); i++) {
            options = OPTIONS.get(i).with().apply(options, (bits >> i & 1) != 0);
        }
        return options;
    }

    @Test
    void eachOptionIsItsOwn() {
        long setters =
                Arrays.stream(SemanticOptions.class.getMethods())
                        .filter(each -> each.getName().startsWith("with"))
                        .count();
        assertEquals(setters, OPTIONS.size() + 1, "all, and the limits");
        Set<SemanticOptions> all = new HashSet<>();
        List<Integer> hashes = new ArrayList<>();
        for (int bits = 0; bits < 1 << OPTIONS.size(); bits++) {
            SemanticOptions options = of(bits);
            StringBuilder text = new StringBuilder("SemanticOptions[limits=");
            text.append(LayoutLimits.DEFAULT);
            for (int i = 0; i < OPTIONS.size(); i++) {
                boolean on = (bits >> i & 1) != 0;
                assertEquals(on, OPTIONS.get(i).get().test(options));
                text.append(", ").append(OPTIONS.get(i).name()).append('=').append(on);
            }
            assertEquals(text.append(']').toString(), options.toString());
            assertEquals(options, of(bits));
            assertEquals(options.hashCode(), of(bits).hashCode());
            assertTrue(all.add(options), options::toString);
            hashes.add(options.hashCode());
        }
        assertEquals(hashes.size(), new HashSet<>(hashes).size());
    }

    @Test
    void optionsAndTheirLimits() {
        LayoutLimits few = new LayoutLimits(3, 4);
        SemanticOptions other = SemanticOptions.STRICT.withLimits(few);
        assertEquals(few, other.limits());
        assertEquals(SemanticOptions.STRICT, other.withLimits(LayoutLimits.DEFAULT));
        assertNotEquals(SemanticOptions.STRICT, other);
        assertNotEquals(SemanticOptions.STRICT.hashCode(), other.hashCode());
        assertNotEquals(SemanticOptions.DEFAULT.withLimits(few), other);
        assertNotEquals((Object) few, other);
        assertThrows(NullPointerException.class, () -> other.withLimits(null));
        assertThrows(IllegalArgumentException.class, () -> new LayoutLimits(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new LayoutLimits(1, 0));
        assertEquals(1, new LayoutLimits(1, 1).maxDepth());
    }

    @Test
    void everyCodeHasAnIdAndARule() {
        for (Rule each : SemanticRules.all()) {
            assertTrue(each.id().matches("[a-z0-9-]+"));
            assertFalse(each.description().isBlank());
        }
    }
}
