// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import dev.fletch.Rule;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What users of the library can see and compile against, as text: every public type of the
/// exported packages with its public and protected members, and the values of its constants, which
/// compilers copy.
final class PublicApi {
    private PublicApi() {}

    static ModuleDescriptor module() throws IOException {
        try (var in =
                Files.newInputStream(Repository.classesFolder().resolve("module-info.class"))) {
            return ModuleDescriptor.read(in);
        }
    }

    static Set<String> exportedPackages() throws IOException {
        return module().exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// The public types of a package, sorted by name, nested ones included.
    static List<Class<?>> publicTypes(String packageName) throws IOException {
        Path folder = Repository.classesFolder().resolve(packageName.replace('.', '/'));
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.equals("package-info.class")) {
                    String simple = name.substring(0, name.length() - ".class".length());
                    types.add(load(packageName + "." + simple));
                }
            }
        }
        return types.stream().filter(PublicApi::isVisible).toList();
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApi.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /// A nested type is seen only where all around it are.
    private static boolean isVisible(Class<?> type) {
        return !type.isAnonymousClass()
                && isVisible(type.getModifiers())
                && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /// All of it: a line per type, and below it an indented one per member.
    static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String exported : exportedPackages()) {
            lines.add("package " + exported);
            for (Class<?> type : publicTypes(exported)) {
                lines.add(declaration(type));
                members(type).stream().sorted().map(member -> "    " + member).forEach(lines::add);
            }
        }
        return lines;
    }

    private static String declaration(Class<?> type) {
        StringBuilder text = new StringBuilder(type.toGenericString());
        Type superclass = type.getGenericSuperclass();
        if (superclass != null && superclass != Object.class) {
            text.append(" extends ").append(superclass.getTypeName());
        }
        Type[] interfaces = type.getGenericInterfaces();
        if (interfaces.length > 0) {
            text.append(" implements ").append(names(interfaces));
        }
        if (type.isRecord()) {
            text.append(" of ").append(Arrays.toString(type.getRecordComponents()));
        }
        return text.toString();
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", "));
    }

    /// Inherited members of a superclass that nobody can see are the type's own, to its users.
    private static Set<String> members(Class<?> type) {
        Set<String> found = new LinkedHashSet<>();
        for (Class<?> from : shownBy(type)) {
            Stream.of(from.getDeclaredFields())
                    .filter(PublicApi::isShown)
                    .filter(field -> !isOnThePageOfRules(field))
                    .map(PublicApi::text)
                    .forEach(found::add);
            Stream.of(from.getDeclaredMethods())
                    .filter(PublicApi::isShown)
                    .filter(method -> isReachable(type, method))
                    .map(Method::toGenericString)
                    .forEach(found::add);
        }
        Stream.of(type.getDeclaredConstructors())
                .filter(PublicApi::isShown)
                .map(Constructor::toGenericString)
                .forEach(found::add);
        return found;
    }

    /// Nobody outside its package calls a protected method of a final class.
    private static boolean isReachable(Class<?> type, Method method) {
        return Modifier.isPublic(method.getModifiers()) || !Modifier.isFinal(type.getModifiers());
    }

    /// The rules and checks of verifiers, which `docs/reference/faults.md` lists. Another test
    /// holds them to it.
    private static boolean isOnThePageOfRules(Field field) {
        return field.isEnumConstant()
                && (Rule.class.isAssignableFrom(field.getType())
                        || field.getType().getSimpleName().equals("Check"));
    }

    private static List<Class<?>> shownBy(Class<?> type) {
        List<Class<?>> shown = new ArrayList<>(List.of(type));
        Class<?> above = type.getSuperclass();
        while (above != null && isOurs(above) && !isVisible(above)) {
            shown.add(above);
            above = above.getSuperclass();
        }
        return shown;
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("dev.fletch.");
    }

    private static <M extends Member> boolean isShown(M member) {
        return !member.isSynthetic() && isVisible(member.getModifiers());
    }

    private static String text(Field field) {
        boolean isConstant =
                Modifier.isStatic(field.getModifiers())
                        && Modifier.isFinal(field.getModifiers())
                        && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return field.toGenericString() + (isConstant ? " = " + field.get(null) : "");
        } catch (IllegalAccessException _) {
            return field.toGenericString(); // protected: not copied by anybody outside
        }
    }

    /// Every class that a public member or a declaration of a type names to its users. Protected
    /// members serve the flyweights of this module, and may name what is hidden.
    static Set<Class<?>> namedBy(Class<?> type) {
        Set<Class<?>> named = new LinkedHashSet<>();
        for (Class<?> from : shownBy(type)) {
            Class<?> above = from.getSuperclass();
            if (above != null && (isVisible(above) || !isOurs(above))) {
                named.add(above);
            }
            Stream.of(from.getInterfaces()).filter(PublicApi::isVisible).forEach(named::add);
            for (Field field : from.getDeclaredFields()) {
                if (isShown(field) && Modifier.isPublic(field.getModifiers())) {
                    named.add(field.getType());
                }
            }
            for (Method method : from.getDeclaredMethods()) {
                if (isShown(method) && Modifier.isPublic(method.getModifiers())) {
                    named.add(method.getReturnType());
                    named.addAll(parameters(method));
                }
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isShown(constructor)) {
                named.addAll(parameters(constructor));
            }
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                named.add(component.getType());
            }
        }
        return named;
    }

    private static List<Class<?>> parameters(Executable executable) {
        List<Class<?>> named = new ArrayList<>(List.of(executable.getParameterTypes()));
        named.addAll(List.of(executable.getExceptionTypes()));
        return named;
    }
}
