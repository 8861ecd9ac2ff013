// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Texts of others in messages and lines: nothing hides, and no two look the same.
class EscaperTest {
    @Test
    void invisibleCharactersAreEscaped() {
        for (int c :
                new int[] {
                    0x00A0, 0x00AD, 0x034F, 0x115F, 0x200B, 0x202E, 0x2066, 0x2800, 0x3000, 0x3164,
                    0xFE0F, 0xFEFF, 0xFFA0, 0xD800, 0xDFFF
                }) {
            assertEquals(
                    "\"a%s\"".formatted(Escaper.unicodeEscape((char) c)),
                    Escaper.name("a" + (char) c));
        }
        assertEquals("\"a\\udb40\\udc41\"", Escaper.name("a" + Character.toString(0xE0041)));
        assertEquals("\"\\udb40\\udd00\"", Escaper.name(Character.toString(0xE0100)));
        assertEquals("🙂", Escaper.name("🙂"));
    }

    @Test
    void valuesThatDifferAreShownDifferently() {
        Map<String, String> valueByShown = new HashMap<>();
        for (String value :
                new String[] {
                    "",
                    "\"\"",
                    "\"",
                    "a",
                    " a",
                    "a ",
                    "\"a\"",
                    "a\nb",
                    "a\\nb",
                    "\"a\\nb\"",
                    "a → b",
                    "{\"k\":1}",
                    "a\u00a0b",
                    "a b",
                    "a\u200bb",
                    "ab",
                    "a…",
                    "\\u00a0",
                    "\u00a0"
                }) {
            String before = valueByShown.put(Escaper.value(value), value);
            assertEquals(null, before, () -> before + " and " + value);
        }
        assertEquals("{\"k\":1}", Escaper.value("{\"k\":1}"));
    }

    /// A character of two units is cut off as a whole: half of it would be no text.
    @Test
    void longTextsAreNotCutWithinACharacter() {
        for (String before : new String[] {"", "x"}) {
            String text = before + "🙂".repeat(1_000);
            for (String shown :
                    new String[] {
                        Escaper.longValue(text, 4_000),
                        Escaper.shortened(text),
                        Escaper.shortenedName(text),
                        Escaper.change(text + "1", text + "2", Escaper::value)
                    }) {
                assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(shown), shown);
                assertTrue(shown.contains("🙂"), shown);
            }
        }
    }

    @Test
    void longTextsAreShownFromTheirFirstDifference() {
        String start = "x".repeat(350);
        String change = Escaper.change(start + "1", start + "2", Escaper::value);
        assertEquals(
                "…"
                        + "x".repeat(20)
                        + "1 (from character 330) → …"
                        + "x".repeat(20)
                        + "2 (from character 330)",
                change);
        String pairs = "🙂".repeat(200);
        assertFalse(Escaper.change(pairs + "1", pairs + "2", Escaper::value).contains("\\u"));
        String longer = Escaper.change("a" + start, "b" + start, Escaper::value);
        assertTrue(longer.startsWith("a" + "x".repeat(299) + "… (351 bytes) → b"), longer);
    }

    @Test
    void textsThatLookTheSameAreShownByTheirCodePoints() {
        assertEquals(
                "\"caf\\u00e9\" → \"cafe\\u0301\"",
                Escaper.change("caf\u00e9", "cafe\u0301", Escaper::name));
        assertEquals("\"a\" → \"a\\u200d\"", Escaper.change("a", "a\u200d", Escaper::name));
        assertEquals("é → e", Escaper.change("é", "e", Escaper::name));
        assertNotEquals(Escaper.name("a"), Escaper.name("a "));
    }

    @Test
    void plainNamesStayAsTheyAre() {
        for (String name :
                new String[] {"a", "order id", "a.b", "Größe", "名前", "🙂", "ns:x", "+05:30"}) {
            assertEquals(name, Escaper.name(name));
            assertEquals(name, Escaper.text(name));
        }
    }

    @Test
    void namesThatLookLikeSyntaxAreQuoted() {
        for (String name :
                new String[] {"", " a", "a ", "a: b", "a:", "a=b", "x(1)", "a,b", "b)", "a→b"}) {
            assertEquals('"' + name + '"', Escaper.name(name));
        }
        assertEquals("a.b", Escaper.name("a.b"));
        assertEquals("\"\\\"a\\\"\"", Escaper.name("\"a\""));
        assertEquals("\"a\\\\b\"", Escaper.name("a\\b"));
    }

    @Test
    void everyControlCharacterIsEscaped() {
        for (int c = 0; c < 0x10000; c++) {
            String text = Escaper.text(String.valueOf((char) c));
            assertEquals(Escaper.isActive((char) c), text.length() > 1, () -> text);
            assertFalse(text.chars().anyMatch(Character::isISOControl), () -> text);
        }
        assertEquals("\\t\\n\\r\\u0000\\u001b\\u009b", Escaper.text("\t\n\r\0\u001b\u009b"));
        assertTrue(Escaper.isActive('\u202e'));
        assertTrue(Escaper.isActive('\u200b'));
        assertFalse(Escaper.isActive('\u200d'));
    }
}
