// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.testdata.FirstFault;

import org.junit.jupiter.api.Test;

/// What faults, their exceptions and the options of a verification of meaning say of themselves.
class FaultTextsTest {

    // ---- faults

    @Test
    void exceptionHasTheDetailsOfItsFault() {
        FirstFault first = new FirstFault();
        SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
        assertFalse(meaning.message(bound(bytes(message(schema(integer("x", 7)), 0)))));
        Fault fault = first.fault();
        String path = "header.schema.fields[0].type.bitWidth";
        String line = "int-width: offset=" + fault.position() + ", path=" + path + ", value=7";
        assertEquals(line, fault.toString());
        FletchException e = fault.exception();
        assertEquals(MeaningRule.INT_WIDTH, e.rule());
        assertEquals(fault.position(), e.offset());
        assertEquals(path, e.fault().path());
        assertEquals(line, e.getMessage());
        // What was thrown stays as it is when the verifier goes on.
        meaning.beginInOrder(false);
        assertEquals(path, e.fault().path());
    }

    @Test
    void partOfAFaultIsComparedUnlessItIsInAMessage() {
        Fault fault = Fault.of(MeaningRule.INT_WIDTH, 5, 7);
        assertNotEquals(fault.inPart("footer"), fault.inPart("schema message"));
        assertEquals(fault.inPart("footer"), fault.inPart("footer").in(5));
        assertEquals(fault.inMessage(1), fault.inPart("footer").inMessage(1));
        ValueFault.Batch batch = new ValueFault.Batch(null, 0, ValueFault.NO_DICTIONARY);
        Fault value =
                new ValueFault(
                        MeaningRule.INT_WIDTH, batch, ValueFault.NO_FIELD, null, 3, 5, 7, 0, "x=7");
        assertInstanceOf(ValueFault.class, value.inPart("footer"));
    }

    // ---- options

    @Test
    void optionsWithOtherLimitsAreDifferent() {
        Limits few = Limits.DEFAULT.withDepth(3).withFields(4);
        Checks other = Checks.STRICT.withLimits(few);
        assertEquals(few, other.limits());
        assertEquals(Checks.STRICT, other.withLimits(Limits.DEFAULT));
        assertNotEquals(Checks.STRICT, other);
        assertNotEquals(Checks.STRICT.hashCode(), other.hashCode());
        assertNotEquals(Checks.DEFAULT.withLimits(few), other);
        assertNotEquals((Object) few, other);
        assertThrows(NullPointerException.class, () -> other.withLimits(null));
        assertEquals(1, Limits.DEFAULT.withDepth(1).withFields(1).depth());
    }
}
