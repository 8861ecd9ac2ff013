// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.FieldPath;
import dev.fletch.model.Metadata;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The extension types that a reader knows: the canonical ones, and those of its application.
///
/// Immutable: adding a type makes a new registry. Any number of threads may use one.
public final class ExtensionRegistry {
    /// What names begin with that only the format gives.
    private static final String RESERVED = "arrow.";

    /// Names of the canonical types.
    private static final Set<String> CANONICAL_NAMES =
            Set.of(
                    FixedShapeTensor.NAME,
                    VariableShapeTensor.NAME,
                    Json.NAME,
                    Uuid.NAME,
                    Opaque.NAME,
                    Bool8.NAME,
                    ParquetVariant.NAME,
                    TimestampWithOffset.NAME);

    /// The canonical types alone.
    public static final ExtensionRegistry CANONICAL = new ExtensionRegistry(Map.of());

    private final Map<String, ExtensionReader> readers;

    private ExtensionRegistry(Map<String, ExtensionReader> readers) {
        this.readers = readers;
    }

    /// Adds a type of the application.
    ///
    /// @param reader reads it
    /// @return a new registry
    /// @throws IllegalArgumentException if the name is taken, or empty, or begins with `arrow.`, which
    ///     is reserved for the format
    public ExtensionRegistry with(ExtensionReader reader) {
        String name = reader.extensionName();
        if (name.isEmpty() || name.startsWith(RESERVED) || readers.containsKey(name)) {
            throw new IllegalArgumentException(
                    "extension type must have a name of its own: extensionName=" + name);
        }
        Map<String, ExtensionReader> added = new HashMap<>(readers);
        added.put(name, reader);
        return new ExtensionRegistry(Map.copyOf(added));
    }

    /// Tells whether a name is that of a canonical type.
    ///
    /// @param extensionName any text
    /// @return whether the format's document describes it, as far as this version knows
    public static boolean isCanonical(String extensionName) {
        return CANONICAL_NAMES.contains(extensionName);
    }

    /// Reads a field's extension type.
    ///
    /// @param field any field
    /// @return the type, empty if the field has none
    /// @throws InvalidExtensionException if it breaks a rule of its type, whatever its metadata
    ///     holds
    /// @throws IllegalStateException if its metadata is JSON and `jackson-core` is not there
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
        try {
            requireOne(name, ExtensionType.NAME_KEY, names);
            List<String> texts = metadata.all(ExtensionType.METADATA_KEY);
            if (isKnown(name)) {
                requireOne(name, ExtensionType.METADATA_KEY, texts);
            }
            return Optional.of(read(name, texts.isEmpty() ? "" : texts.getFirst(), field));
        } catch (InvalidExtensionException e) {
            throw e.at(e.at() == null ? path : e.at().under(path));
        }
    }

    private boolean isKnown(String name) {
        return isCanonical(name) || readers.containsKey(name);
    }

    private static void requireOne(String name, String key, List<String> values) {
        if (name.isEmpty()) {
            throw new InvalidExtensionException(
                    "extension type", "must have a name", null, key, "\"\"");
        }
        if (values.size() > 1) {
            throw new InvalidExtensionException(
                    name,
                    "must be described once, not " + values.size() + " times",
                    null,
                    key,
                    values);
        }
    }

    private ExtensionType read(String name, String metadata, ArrowField field) {
        ExtensionType type =
                switch (name) {
                    case FixedShapeTensor.NAME -> FixedShapeTensor.read(metadata);
                    case VariableShapeTensor.NAME -> VariableShapeTensor.read(field, metadata);
                    case Json.NAME -> Json.read(metadata);
                    case Uuid.NAME -> withoutParameters(new Uuid(), metadata);
                    case Opaque.NAME -> Opaque.read(metadata);
                    case Bool8.NAME -> withoutParameters(new Bool8(), metadata);
                    case ParquetVariant.NAME -> withoutParameters(new ParquetVariant(), metadata);
                    case TimestampWithOffset.NAME ->
                            withoutParameters(new TimestampWithOffset(), metadata);
                    default -> other(name, metadata, field);
                };
        if (!(type instanceof ApplicationType)) {
            type.checkStorage(field);
        }
        return type;
    }

    private static ExtensionType withoutParameters(ExtensionType type, String metadata) {
        if (!metadata.isEmpty()) {
            throw new InvalidExtensionException(
                    type.extensionName(), "must have no metadata", null, "metadata", metadata);
        }
        return type;
    }

    private ExtensionType other(String name, String metadata, ArrowField field) {
        ExtensionReader reader = readers.get(name);
        if (reader == null) {
            return new Unknown(name, metadata);
        }
        ApplicationType type;
        try {
            type = reader.read(field, metadata);
        } catch (InvalidExtensionException e) {
            throw e.at(below(e.path(), field));
        } catch (RuntimeException | StackOverflowError e) {
            // Whatever its parser does with hostile metadata, a caller has one kind to expect.
            String rule = "could not be read, " + e.getClass().getSimpleName();
            throw new InvalidExtensionException(e, name, rule, "metadata", metadata);
        }
        if (type == null) {
            throw new InvalidExtensionException(
                    name, "must be read as a type, not null", null, "metadata", metadata);
        }
        return type;
    }

    /// A reader may tell of a place below the field with or without the field's own name.
    ///
    /// @param path null if it does not
    private static FieldPath below(String path, ArrowField field) {
        FieldPath own = FieldPath.of(field.name());
        if (path == null || path.equals(field.name())) {
            return own;
        }
        String prefix = field.name() + ".";
        return own.child(path.startsWith(prefix) ? path.substring(prefix.length()) : path);
    }

    /// Finds all fields of a schema that have an extension type, nested ones too, and checks them.
    ///
    /// @param schema any schema
    /// @return a line for each of them, a field before its children; none for other fields
    /// @throws IllegalStateException if metadata is JSON and `jackson-core` is not there
    public List<ExtensionUse> list(ArrowSchema schema) {
        List<ExtensionUse> found = new ArrayList<>();
        for (ArrowField field : schema.fields()) {
            list(FieldPath.of(field.name()), field, found);
        }
        return List.copyOf(found);
    }

    private void list(FieldPath path, ArrowField field, List<ExtensionUse> found) {
        try {
            read(path, field).ifPresent(type -> found.add(ExtensionUse.of(path, field, type)));
        } catch (InvalidExtensionException e) {
            found.add(ExtensionUse.of(path, field, e));
        }
        for (ArrowField child : field.children()) {
            list(path.child(child.name()), child, found);
        }
    }
}
