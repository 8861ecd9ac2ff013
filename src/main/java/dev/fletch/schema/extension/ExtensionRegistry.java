// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.internal.Jackson;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/// Reads extension types: the canonical types, and the types that an application registers.
///
/// Immutable and thread-safe: adding a type creates a new registry.
public final class ExtensionRegistry {
    /// Prefix of names reserved for the format.
    private static final String RESERVED = "arrow.";

    /// By the names of the types: see [#with].
    private static final Map<String, BiFunction<ArrowField, String, ? extends ExtensionType>>
            CANONICAL_READERS = new HashMap<>();

    static {
        CANONICAL_READERS.put(
                FixedShapeTensor.NAME, (_, metadata) -> FixedShapeTensor.read(metadata));
        CANONICAL_READERS.put(VariableShapeTensor.NAME, VariableShapeTensor::read);
        CANONICAL_READERS.put(Opaque.NAME, (_, metadata) -> Opaque.read(metadata));
        for (SimpleType each : SimpleType.values()) {
            CANONICAL_READERS.put(each.extensionName(), (_, metadata) -> each.read(metadata));
        }
    }

    /// A registry of the canonical types only.
    public static final ExtensionRegistry CANONICAL = new ExtensionRegistry(Map.of());

    private final Map<String, BiFunction<ArrowField, String, ? extends ExtensionType>> readers;

    private ExtensionRegistry(
            Map<String, BiFunction<ArrowField, String, ? extends ExtensionType>> readers) {
        this.readers = readers;
    }

    /// Adds a type of the application.
    ///
    /// The reader takes the field, with its children and metadata, and the type's parameters as
    /// text, which is untrusted, and empty if absent. It checks that the field can store the type,
    /// and returns the type, never null. It throws an [InvalidSchemaException] if the type breaks a
    /// rule; its path starts with the name of the field. Other runtime exceptions and a
    /// [StackOverflowError] become the cause of an `InvalidSchemaException`; other errors are not
    /// caught. A reader used by several threads must be thread-safe.
    ///
    /// @param extensionName the type's name
    /// @param reader reads the type of a field
    /// @throws IllegalArgumentException if the name is registered, empty, or starts with `arrow.`,
    ///     which is reserved for the format
    public ExtensionRegistry with(
            String extensionName, BiFunction<ArrowField, String, ? extends ExtensionType> reader) {
        if (extensionName.isEmpty()
                || extensionName.startsWith(RESERVED)
                || readers.containsKey(extensionName)) {
            throw new IllegalArgumentException(
                    "extension name is empty, reserved or registered: extensionName="
                            + extensionName);
        }
        var added = new HashMap<>(readers);
        added.put(extensionName, reader);
        return new ExtensionRegistry(Map.copyOf(added));
    }

    /// {@return whether a name is the name of a canonical type}
    ///
    /// @param extensionName any text
    static boolean isCanonical(String extensionName) {
        return CANONICAL_READERS.containsKey(extensionName);
    }

    /// Reads a field's extension type.
    ///
    /// @return the type; empty if the field has no extension type
    /// @throws InvalidSchemaException if the field breaks a rule of its extension type
    /// @throws IllegalStateException if the type's metadata is JSON and `jackson-core` is missing
    public Optional<ExtensionType> read(ArrowField field) {
        return read(FieldPath.of(field.name()), field);
    }

    private Optional<ExtensionType> read(FieldPath path, ArrowField field) {
        Metadata metadata = field.metadata();
        List<String> names = metadata.all(ExtensionType.NAME_KEY);
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String name = names.getFirst();
        List<String> texts = metadata.all(ExtensionType.METADATA_KEY);
        String text = texts.isEmpty() ? "" : texts.getFirst();
        try {
            if (name.isEmpty()) {
                throw InvalidSchemaException.ofExtension(
                        "extension type", "must have a name", null, ExtensionType.NAME_KEY, "\"\"");
            }
            requireOne(name, ExtensionType.NAME_KEY, names);
            if (!isCanonical(name) && !readers.containsKey(name)) {
                return Optional.of(new UnknownType(name, text));
            }
            requireOne(name, ExtensionType.METADATA_KEY, texts);
            return Optional.of(
                    isCanonical(name)
                            ? canonical(name, text, field)
                            : application(name, text, field));
        } catch (InvalidSchemaException e) {
            throw e.under(path);
        }
    }

    private static void requireOne(String name, String key, List<String> values) {
        if (values.size() > 1) {
            String rule = "must have the metadata key once, not " + values.size() + " times";
            throw InvalidSchemaException.ofExtension(name, rule, null, key, values);
        }
    }

    private static ExtensionType canonical(String name, String metadata, ArrowField field) {
        try {
            ExtensionType type = CANONICAL_READERS.get(name).apply(field, metadata);
            type.checkStorage(field);
            return type;
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("metadata of " + name, e);
        }
    }

    private ExtensionType application(String name, String metadata, ArrowField field) {
        ExtensionType type;
        try {
            type = readers.get(name).apply(field, metadata);
        } catch (RuntimeException | StackOverflowError e) {
            if (e instanceof InvalidSchemaException own
                    && own.requirement().startsWith(name + " ")) {
                throw own;
            }
            // Hostile metadata may cause any exception in its parser; callers expect one kind.
            String rule = "could not be read, " + e.getClass().getSimpleName();
            throw InvalidSchemaException.ofExtension(name, rule, null, "metadata", metadata, e);
        }
        if (type == null) {
            throw InvalidSchemaException.ofExtension(
                    name, "reader must not return null", null, "metadata", metadata);
        }
        return type;
    }

    /// Finds and checks all fields of a schema with an extension type, including nested ones.
    ///
    /// @return an entry for each such field, a field before its children
    /// @throws IllegalStateException if metadata is JSON and `jackson-core` is missing
    public List<ExtensionUse> list(ArrowSchema schema) {
        List<ExtensionUse> uses = new ArrayList<>();
        for (ArrowField field : schema.fields()) {
            list(FieldPath.of(field.name()), field, uses);
        }
        return List.copyOf(uses);
    }

    private void list(FieldPath path, ArrowField field, List<ExtensionUse> uses) {
        try {
            Optional<ExtensionType> type = read(path, field);
            if (type.isPresent()) {
                uses.add(new ExtensionUse(path, field, type, Optional.empty()));
            }
        } catch (InvalidSchemaException e) {
            uses.add(new ExtensionUse(path, field, Optional.empty(), Optional.of(e)));
        }
        for (ArrowField child : field.children()) {
            list(path.child(child.name()), child, uses);
        }
    }
}
