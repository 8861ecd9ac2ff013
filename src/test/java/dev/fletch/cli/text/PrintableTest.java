// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void plainNamesStayAsTheyAre() {
        for (String name :
                new String[] {"a", "order id", "a.b", "Größe", "名前", "🙂", "ns:x", "+05:30"}) {
            assertEquals(name, Printable.name(name));
            assertEquals(name, Printable.text(name));
        }
    }

    @Test
    void namesThatCouldBeMistaken() {
        assertEquals("\"\"", Printable.name(""));
        assertEquals("\" a\"", Printable.name(" a"));
        assertEquals("\"a \"", Printable.name("a "));
        assertEquals("\"a: b\"", Printable.name("a: b"));
        assertEquals("\"a:\"", Printable.name("a:"));
        assertEquals("\"a=b\"", Printable.name("a=b"));
        assertEquals("\"x(1)\"", Printable.name("x(1)"));
        assertEquals("\"\\\"a\\\"\"", Printable.name("\"a\""));
        assertEquals("\"a\\\\b\"", Printable.name("a\\b"));
    }

    @Test
    void everyControlCharacterIsEscaped() {
        for (int c = 0; c < 0x10000; c++) {
            String text = Printable.text(String.valueOf((char) c));
            assertEquals(Printable.isActive((char) c), text.length() > 1, () -> text);
            assertFalse(text.chars().anyMatch(Character::isISOControl), () -> text);
        }
        assertEquals("\\t\\n\\r\\u0000\\u001b\\u009b", Printable.text("\t\n\r\0\u001b\u009b"));
        assertTrue(Printable.isActive('\u202e'));
        assertTrue(Printable.isActive('\u200b'));
        assertFalse(Printable.isActive('\u200d'));
    }
}
