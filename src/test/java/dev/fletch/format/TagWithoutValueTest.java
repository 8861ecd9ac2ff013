// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Map;

/// A union's tag without its value, which damaged bytes have: each accessor of the member says that
/// there is none.
class TagWithoutValueTest {
    @Test
    void memberIsAbsent() {
        int members = 0;
        for (TablePath path : TablePath.all().toList()) {
            for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
                if (field.type() instanceof FbsType.Union(String union)) {
                    for (Value member : Flyweights.ARROW.union(union).members()) {
                        if (hasFlyweight(member.name())) {
                            assertAbsent(path, field, member);
                            members++;
                        }
                    }
                }
            }
        }
        assertTrue(members >= 44, "members=" + members);
    }

    /// Types without parameters have none.
    private static boolean hasFlyweight(String table) {
        return Flyweights.tables().stream().anyMatch(each -> each.name().equals(table));
    }

    private static void assertAbsent(TablePath path, FieldDecl field, Value member) {
        FbsValue tag = new FbsValue.Number(member.value());
        Table table =
                path.bind(
                        path.bytes(
                                TablePath.table(path.target(), Map.of(field.name() + "_type", tag)),
                                1));
        Object into = Flyweights.fresh(member.name());
        Method accessor = Flyweights.method(table.getClass(), field.javaName(), into.getClass());
        String what = path.target() + "." + field.name() + " " + member.name();
        assertEquals(false, Flyweights.invoke(accessor, table, into), what);
    }
}
