// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.write.BodyLayout;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Messages are the same in every locale: some write numbers in other digits.
@Isolated("sets the default locale")
class LocaleTest {
    /// What goes by the default locale: these methods without a locale as their first argument.
    private static final Pattern FORBIDDEN =
            Pattern.compile(
                    "java/(lang/String|io/Print(Writer|Stream))"
                            + "\\.(formatted|format|printf|toLowerCase|toUpperCase)"
                            + "\\((?!Ljava/util/Locale;).*"
                            + "|java/util/Formatter\\.<init>\\((Ljava/lang/Appendable;)?\\)V");

    @Test
    void noClassUsesTheDefaultLocale() {
        List<String> found = new ArrayList<>();
        int checked = 0;
        for (ClassModel model : Repository.classes()) {
            String user = Repository.nameOf(model);
            checked++;
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member && isForbidden(member)) {
                    found.add(user + " uses " + member.name().stringValue());
                }
            }
        }
        assertTrue(checked > 100);
        assertEquals(List.of(), found);
    }

    /// One message of each package that has numbers in it.
    private static List<String> messages() {
        return List.of(
                Checks.STRICT.toString(),
                Checks.DEFAULT.toString(),
                thrown(() -> Checks.STRICT.withLimits(Checks.STRICT.limits().withDepth(-12))),
                thrown(() -> new FlatBufferWriter().finish(1234)),
                thrown(() -> new BodyLayout().addBuffer(-1234567)));
    }

    private static String thrown(Executable misuse) {
        return assertThrows(RuntimeException.class, misuse).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG-u-nu-arab", "hi-IN-u-nu-deva"})
    void messagesHaveTheSameDigitsInEveryLocale(String tag) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        try {
            List<String> expected = messages();
            Locale.setDefault(Locale.forLanguageTag(tag));
            assertNotEquals("12", "%d".formatted(12), "a locale with digits of its own");
            assertEquals(expected, messages());
        } finally {
            Locale.setDefault(before);
        }
    }

    private static boolean isForbidden(MemberRefEntry member) {
        String name = member.owner().asInternalName() + "." + member.name().stringValue();
        return FORBIDDEN.matcher(name + member.type().stringValue()).matches();
    }
}
