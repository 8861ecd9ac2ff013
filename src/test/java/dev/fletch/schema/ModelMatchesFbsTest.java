// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.testdata.RandomTables;

import org.junit.jupiter.api.Test;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The values of a schema, held against `format/*.fbs`: what the declarations have and these do not
/// could be read in place, and no further.
class ModelMatchesFbsTest {
    private static final int SEEDS = 500;

    /// By number: the name, as [#name] has it.
    private static Map<Integer, String> declaredTypes() {
        UnionDecl types = RandomTables.ARROW.union("Type");
        return types.members().stream()
                .filter(each -> each.value() != 0)
                .collect(
                        Collectors.toMap(
                                each -> (int) each.value(),
                                each -> name(each.name()),
                                (one, _) -> one,
                                TreeMap::new));
    }

    /// Records and constants write one name in two ways, and the declaration some with an
    /// underscore.
    private static String name(String of) {
        return of.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static String name(ArrowType type) {
        return name(
                type instanceof ArrowType.Simple simple
                        ? simple.name()
                        : type.getClass().getSimpleName());
    }

    /// The types with parameters, each a class: of records, or of an enum's constants.
    private static Stream<Class<?>> withParameters() {
        return Arrays.stream(ArrowType.class.getPermittedSubclasses())
                .filter(each -> each != ArrowType.Simple.class);
    }

    @Test
    void everyDeclaredTypeHasAClassOrAConstant() {
        Set<String> found = new TreeSet<>();
        withParameters().forEach(each -> found.add(name(each.getSimpleName())));
        Stream.of(ArrowType.Simple.values()).forEach(each -> found.add(name(each)));
        assertEquals(new TreeSet<>(declaredTypes().values()), found);
    }

    /// A field that the values lack is lost when a schema is read and written again. Dictionaries
    /// are of one kind, a field's type has its number, and the mode of a union is `isDense`.
    @Test
    void valuesHaveTheDeclaredFields() {
        Map<String, Class<?>> records = new TreeMap<>();
        records.put("Schema", ArrowSchema.class);
        records.put("Field", ArrowField.class);
        records.put("DictionaryEncoding", DictionaryInfo.class);
        withParameters()
                .filter(Class::isRecord)
                .forEach(each -> records.put(each.getSimpleName(), each));
        List<String> missing = new ArrayList<>();
        records.forEach(
                (table, type) -> {
                    Set<String> found = new TreeSet<>();
                    for (RecordComponent each : components(type)) {
                        found.add(property(each.getName()));
                    }
                    for (FieldDecl each : RandomTables.ARROW.table(table).fields()) {
                        if (!found.contains(property(each.name()))) {
                            missing.add(table + "." + each.name());
                        }
                    }
                });
        assertEquals(
                List.of("DictionaryEncoding.dictionaryKind", "Field.type_type", "Union.mode"),
                missing);
    }

    private static String property(String of) {
        return name(of).replaceFirst("^(is|custom)", "");
    }

    static Map<String, Class<? extends Enum<?>>> enums() {
        return Map.of(
                "DateUnit", ArrowType.Date.class,
                "IntervalUnit", ArrowType.Interval.class,
                "Precision", ArrowType.FloatingPoint.class,
                "TimeUnit", TimeResolution.class);
    }

    @Test
    void enumsHaveTheDeclaredValues() {
        enums().forEach(ModelMatchesFbsTest::assertDeclared);
    }

    private static void assertDeclared(String declaredName, Class<? extends Enum<?>> type) {
        Map<String, Long> declared = new TreeMap<>();
        for (Value each : RandomTables.ARROW.enumeration(declaredName).values()) {
            declared.put(each.name().toUpperCase(Locale.ROOT), each.value());
        }
        Map<String, Long> found = new TreeMap<>();
        for (Enum<?> each : type.getEnumConstants()) {
            found.put(each.name(), (long) each.ordinal());
        }
        assertEquals(declared, found);
    }

    /// What is tested by schemas made at random is tested for every type, and for each value of its
    /// parameters that have few. Types have the declared numbers.
    @Test
    void randomSchemasHaveAllTypesWithTheirIds() {
        Map<Integer, String> ids = new TreeMap<>();
        Set<String> missing = new TreeSet<>();
        Stream.of(ArrowType.Simple.values()).forEach(each -> missing.add(name(each)));
        withParameters()
                .forEach(
                        type -> {
                            missing.add(name(type.getSimpleName()));
                            for (RecordComponent each : components(type)) {
                                values(each.getType())
                                        .forEach(v -> missing.add(named(type, each.getName(), v)));
                            }
                            values(type).forEach(v -> missing.add(named(type, "", v)));
                        });
        for (int seed = 0; seed < SEEDS && !missing.isEmpty(); seed++) {
            RandomSchemas.schema(seed).fields().forEach(each -> strike(each, missing, ids));
        }
        assertEquals(Set.of(), missing);
        assertEquals(declaredTypes(), ids);
    }

    private static RecordComponent[] components(Class<?> type) {
        return type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
    }

    private static List<?> values(Class<?> parameter) {
        return parameter.isEnum()
                ? List.of(parameter.getEnumConstants())
                : parameter == boolean.class ? List.of(false, true) : List.of();
    }

    private static String named(Class<?> type, String parameter, Object value) {
        return type.getSimpleName() + "." + parameter + "=" + value;
    }

    private static void strike(ArrowField field, Set<String> missing, Map<Integer, String> ids) {
        ArrowType type = field.type();
        ids.put(type.id(), name(type));
        missing.remove(name(type));
        missing.remove(named(type.getClass(), "", type));
        strikeValues(type, missing);
        field.children().forEach(each -> strike(each, missing, ids));
    }

    private static void strikeValues(ArrowType type, Set<String> missing) {
        for (RecordComponent each : components(type.getClass())) {
            try {
                Object value = each.getAccessor().invoke(type);
                missing.remove(named(type.getClass(), each.getName(), value));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }
}
