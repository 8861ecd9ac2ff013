// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// [FullWalk] leaves out no accessor, and sees every difference: what the tests show that use it
/// rests on this.
class FullWalkTest {
    @Test
    void callsEveryAccessorThatAllocatesNothing() throws IOException {
        Set<String> called = new TreeSet<>();
        for (Class<?> each : List.of(FullWalk.class, TableVisits.class, TensorVisits.class)) {
            called.addAll(membersUsedBy(each));
        }
        Set<String> missing = new TreeSet<>(accessors());
        missing.removeAll(called);
        assertEquals(Set.of(), missing);
        System.out.printf("Full walk: %d accessors%n", accessors().size());
    }

    /// All public methods but those whose names say that they allocate, and forms of
    /// `wrap`.
    private static Set<String> accessors() {
        Set<String> accessors = new TreeSet<>();
        Stream<String> names =
                Stream.concat(
                        Flyweights.tables().stream().map(each -> each.name()),
                        Flyweights.ARROW.structs().stream().map(each -> each.name()));
        for (String name : names.toList()) {
            for (Method method : Flyweights.type(name).getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && !method.getName().equals("isRecognized") // how, not what it shows
                        && method.getReturnType() != String.class
                        && !method.getName().startsWith("wrap")) {
                    accessors.add(signature(name, method));
                }
            }
        }
        return accessors;
    }

    private static String signature(String owner, Method method) {
        StringBuilder text = new StringBuilder(owner + "." + method.getName() + "(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        return text.append(')').append(method.getReturnType().descriptorString()).toString();
    }

    private static Set<String> membersUsedBy(Class<?> user) throws IOException {
        Set<String> members = new TreeSet<>();
        try (InputStream in = user.getResourceAsStream(user.getSimpleName() + ".class")) {
            ClassModel model = ClassFile.of().parse(in.readAllBytes());
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member) {
                    String owner = member.owner().asInternalName();
                    String simple = owner.substring(owner.lastIndexOf('/') + 1);
                    String name = member.name().stringValue();
                    members.add(simple + "." + name + member.type().stringValue());
                }
            }
        }
        return members;
    }

    @Test
    void sameBytesGiveTheSameNumber() {
        FullWalk walk = FullWalk.complete();
        for (TablePath path : TablePath.all().toList()) {
            byte[] bytes = path.random(5);
            long first = walk.root(path.root(), MemorySegment.ofArray(bytes), 0, bytes.length);
            long second = walk.root(path.root(), MemorySegment.ofArray(bytes), 0, bytes.length);
            assertEquals(first, second);
        }
        assertEquals(0, walk.formatFaults() + walk.indexFaults());
    }

    /// A byte that is part of a value makes a difference. Padding makes none, nor do the table's
    /// size in a vtable and the NUL behind a string.
    @Test
    void mostBytesMakeADifference() {
        FullWalk walk = FullWalk.complete();
        int bytesSeen = 0;
        int differences = 0;
        for (TablePath path : TablePath.all().toList()) {
            byte[] bytes = path.random(8);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            long expected = walk.root(path.root(), memory, 0, bytes.length);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= 0x01;
                differences += walk.root(path.root(), memory, 0, bytes.length) != expected ? 1 : 0;
                bytes[i] ^= 0x01;
                bytesSeen++;
            }
        }
        System.out.printf("Full walk: %d of %d bytes make a difference%n", differences, bytesSeen);
        assertNotEquals(0, differences);
        assertEquals(1.0, (double) differences / bytesSeen, 0.4);
    }
}
