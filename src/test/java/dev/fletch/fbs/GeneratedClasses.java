// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import org.apache.arrow.flatbuf.Message;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/// What the classes say that flatc generated from Arrow's own declarations, in `arrow-format`.
final class GeneratedClasses {
    private static final String PACKAGE = Message.class.getPackageName();

    private GeneratedClasses() {}

    /// Returns the simple names of all of them, those nested in others left out.
    static Set<String> names() throws IOException, URISyntaxException {
        String folder = PACKAGE.replace('.', '/') + "/";
        var source = Message.class.getProtectionDomain().getCodeSource().getLocation();
        try (JarFile jar = new JarFile(Path.of(source.toURI()).toFile())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(folder) && name.endsWith(".class"))
                    .map(name -> name.substring(folder.length(), name.length() - 6))
                    .filter(name -> name.indexOf('$') < 0)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    static Class<?> named(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + "." + name);
    }

    /// Returns the numeric constants of an enum's or union's class.
    static Map<String, Long> constants(Class<?> type) throws IllegalAccessException {
        Map<String, Long> valueByName = new TreeMap<>();
        for (Field field : type.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
                valueByName.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return valueByName;
    }

    /// Returns the signatures of the methods that read fields, such as `Field children(int)`.
    static Set<String> accessors(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.isSynthetic() && !method.getName().startsWith("__"))
                .map(GeneratedClasses::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(GeneratedClasses::typeName)
                .collect(
                        Collectors.joining(
                                ", ",
                                typeName(method.getReturnType()) + " " + method.getName() + "(",
                                ")"));
    }

    /// The simple name; a generated vector class gets that of its element put before it.
    private static String typeName(Class<?> type) {
        return type.isMemberClass()
                ? type.getDeclaringClass().getSimpleName() + "." + type.getSimpleName()
                : type.getSimpleName();
    }

    /// Returns the signatures that flatc gives the accessors of a table's field.
    static Set<String> expectedAccessors(String name, FbsType type) {
        return switch (type) {
            case FbsType.Scalar _, FbsType.Enumeration _, FbsType.UnionTag _ ->
                    Set.of(javaType(type) + " " + name + "()");
            case FbsType.Text _ ->
                    Set.of(
                            "String " + name + "()",
                            "ByteBuffer " + name + "AsByteBuffer()",
                            "ByteBuffer " + name + "InByteBuffer(ByteBuffer)");
            case FbsType.Union _ -> Set.of("Table " + name + "(Table)");
            case FbsType.Table(String of) -> objectAccessors(name, of);
            case FbsType.Struct(String of, _, _) -> objectAccessors(name, of);
            case FbsType.Vector(FbsType element) -> vectorAccessors(name, element);
        };
    }

    private static Set<String> objectAccessors(String name, String of) {
        return Set.of(of + " " + name + "()", of + " " + name + "(" + of + ")");
    }

    private static Set<String> vectorAccessors(String name, FbsType element) {
        Set<String> signatures = new TreeSet<>();
        String of = javaType(element);
        String vector;
        if (element.isScalar()) {
            vector = of.substring(0, 1).toUpperCase(Locale.ROOT) + of.substring(1) + "Vector";
            signatures.add("ByteBuffer " + name + "AsByteBuffer()");
            signatures.add("ByteBuffer " + name + "InByteBuffer(ByteBuffer)");
        } else {
            vector = of + ".Vector";
            signatures.add(of + " " + name + "(" + of + ", int)");
        }
        signatures.add(of + " " + name + "(int)");
        signatures.add("int " + name + "Length()");
        signatures.add(vector + " " + name + "Vector()");
        signatures.add(vector + " " + name + "Vector(" + vector + ")");
        return signatures;
    }

    /// Java's type for a number of this kind, or the generated class; a union's tag is a byte.
    private static String javaType(FbsType type) {
        return switch (type) {
            case FbsType.Scalar(FbsScalar kind) -> javaType(kind);
            case FbsType.Enumeration(_, FbsScalar underlying) -> javaType(underlying);
            case FbsType.UnionTag _ -> "byte";
            default -> type.spelling();
        };
    }

    private static String javaType(FbsScalar kind) {
        return switch (kind) {
            case BOOL -> "boolean";
            case UBYTE, USHORT -> "int";
            case UINT -> "long";
            case BYTE, SHORT, INT, LONG -> kind.spelling();
        };
    }
}
