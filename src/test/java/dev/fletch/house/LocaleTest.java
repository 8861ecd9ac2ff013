// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Messages are the same in every locale: some write numbers in other digits.
class LocaleTest {
    /// These still do, in messages about misuse.
    private static final Set<String> NOT_YET =
            Set.of("dev.fletch.flatbuf", "dev.fletch.format", "dev.fletch.layout");

    /// What goes by the default locale, by its owner.
    private static final Map<String, Set<String>> FORBIDDEN =
            Map.of(
                    "java/lang/String",
                    Set.of(
                            "formatted([Ljava/lang/Object;)Ljava/lang/String;",
                            "format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
                            "toLowerCase()Ljava/lang/String;",
                            "toUpperCase()Ljava/lang/String;"),
                    "java/io/PrintWriter",
                    Set.of(
                            "printf(Ljava/lang/String;[Ljava/lang/Object;)Ljava/io/PrintWriter;",
                            "format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/io/PrintWriter;"));

    @Test
    void nothingGoesByTheDefaultLocale() {
        List<String> found = new ArrayList<>();
        int checked = 0;
        for (ClassModel model : House.classes()) {
            String user = House.nameOf(model);
            if (NOT_YET.contains(House.packageOf(user))) {
                continue;
            }
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

    private static boolean isForbidden(MemberRefEntry member) {
        Set<String> methods = FORBIDDEN.get(member.owner().asInternalName());
        return methods != null
                && methods.contains(member.name().stringValue() + member.type().stringValue());
    }
}
