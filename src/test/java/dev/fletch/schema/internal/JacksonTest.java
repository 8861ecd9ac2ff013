// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The parser's own words end where they speak of its settings.
class JacksonTest {
    private static JsonProcessingException fault(String text) {
        return assertThrows(
                JsonProcessingException.class,
                () -> {
                    try (JsonParser parser = new JsonFactory().createParser(text)) {
                        while (parser.nextToken() != null) {
                            parser.getText();
                        }
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "{\"a\":]",
                "[1}",
                "{'a':1}",
                "[NaN]",
                "[+1]",
                "[01]",
                "[1,]",
                "nul",
                "\"",
                "[/*c*/1]",
                "[\"\u0001\"]",
                "{a:1}",
                "[.5]",
                "[5.]",
                "[\"\\x\"]",
                "{\"a\" 1}",
                "[\u001e]"
            })
    void reasonsDoNotNameJacksonsSettings(String text) {
        String reason = Jackson.reason(fault(text).getOriginalMessage());
        for (String word : new String[] {"REDACTED", "Feature", "enabl", "Source", "marker at"}) {
            assertFalse(reason.contains(word), reason);
        }
        assertFalse(reason.isBlank());
    }

    @Test
    void otherMessagesStayAsTheyAre() {
        assertEquals(
                "Unexpected close marker ']': expected '}'",
                Jackson.reason(fault("{\"a\":1]").getOriginalMessage()));
    }
}
