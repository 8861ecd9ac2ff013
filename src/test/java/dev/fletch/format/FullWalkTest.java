// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// [FullWalk] leaves out no accessor, and sees every difference: what the tests show that use it
/// rests on this.
class FullWalkTest {
    private static final long SEEDS = 30;

    @Test
    void callsEveryAccessorThatAllocatesNothing() {
        Set<Method> called = new HashSet<>();
        FullWalk walk = FullWalk.complete(TableReader.all(each -> noting(each, called)));
        walkRandomTables(walk);
        Set<Method> missing = accessors();
        missing.removeAll(called);
        assertEquals(
                List.of(),
                missing.stream().filter(each -> !each.getName().startsWith("set")).toList());
        walkRandomTables(walk.thatWrites());
        missing.removeAll(called);
        assertEquals(Set.of(), missing);
        System.out.printf("Full walk: %d accessors%n", called.size());
    }

    private static void walkRandomTables(FullWalk walk) {
        for (TablePath path : TablePath.all().toList()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                byte[] bytes = path.random(seed);
                walk.root(path.root(), MemorySegment.ofArray(bytes), 0, bytes.length);
            }
        }
    }

    /// Returns a handle that calls an accessor, and adds it to `called` before.
    private static MethodHandle noting(Method accessor, Set<Method> called) {
        try {
            MethodType type = MethodType.methodType(boolean.class, Object.class);
            MethodHandle add = MethodHandles.lookup().bind(called, "add", type);
            MethodHandle note = MethodHandles.insertArguments(add, 0, accessor);
            return MethodHandles.foldArguments(
                    TableReader.handle(accessor), note.asType(MethodType.methodType(void.class)));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /// All public methods but those that return a new string, and those that wrap.
    private static Set<Method> accessors() {
        return Stream.concat(
                        Flyweights.tables().stream().map(each -> each.name()),
                        Flyweights.ARROW.structs().stream().map(each -> each.name()))
                .flatMap(each -> Arrays.stream(Flyweights.type(each).getDeclaredMethods()))
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .filter(each -> each.getReturnType() != String.class)
                .filter(each -> !each.getName().startsWith("wrap"))
                .collect(Collectors.toCollection(HashSet::new));
    }
}
