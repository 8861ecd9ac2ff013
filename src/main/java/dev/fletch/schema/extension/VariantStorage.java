// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowType;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.schema.InvalidSchemaException;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The storage of [SimpleType#PARQUET_VARIANT].
final class VariantStorage {
    private static final String TYPED_VALUE = "typed_value";
    private static final String METADATA = "metadata";
    private static final String VALUE = "value";

    private VariantStorage() {}

    // ---- children are found by case-sensitive name

    static void check(Storage variant) {
        variant.require(variant.isPlain(ArrowType.Simple.STRUCT), "must be stored as struct");
        group(variant, List.of(METADATA, TYPED_VALUE, VALUE));
        Storage metadata = child(variant, METADATA);
        if (metadata == null) {
            throw variant.violation("must have a child metadata", "children", variant.childNames());
        }
        metadata.requireNotNull();
        requireNoExtension(metadata);
        String rule = "must have its metadata in binary, large_binary or binary_view";
        Storage inside = metadata.insideRuns(rule);
        requireNoExtension(inside);
        inside.require(isBinary(inside.type()), rule);
    }

    /// Checks a struct of `value` and `typed_value`, at least one of them.
    private static void group(Storage group, List<String> allowed) {
        Set<String> seen = new HashSet<>();
        for (String name : group.childNames()) {
            if (!allowed.contains(name) || !seen.add(name)) {
                throw group.violation(
                        "must have only the children "
                                + String.join(", ", allowed)
                                + ", each at most once",
                        "children",
                        group.childNames());
            }
        }
        Storage value = child(group, VALUE);
        Storage typed = child(group, TYPED_VALUE);
        if (value == null && typed == null) {
            throw group.violation(
                    "must have a child value or typed_value", "children", group.childNames());
        }
        if (value != null) {
            requireNoExtension(value);
            value.require(
                    value.isPlain() && isBinary(value.type()),
                    "must have a value in binary, large_binary or binary_view");
        }
        if (typed != null) {
            typedValue(typed);
        }
    }

    private static void typedValue(Storage typed) {
        typed.require(typed.isPlain(), "must have a typed_value that is not dictionary-encoded");
        String extension = extension(typed);
        if (extension != null) {
            uuid(typed, extension);
            return;
        }
        switch (typed.type()) {
            case ArrowType.Simple.LIST, ArrowType.Simple.LARGE_LIST, ArrowType.Simple.LIST_VIEW ->
                    element(typed.child(0), "an item");
            case ArrowType.Simple.STRUCT -> {
                requireDistinct(typed);
                typed.children().forEach(field -> element(field, "a field"));
            }
            default ->
                    typed.require(
                            isPrimitive(typed.type()), "must have a typed_value of a variant type");
        }
    }

    private static void element(Storage element, String what) {
        element.require(
                element.isPlain(ArrowType.Simple.STRUCT),
                "must have " + what + " of typed_value in a struct");
        element.requireNotNull();
        requireNoExtension(element);
        group(element, List.of(TYPED_VALUE, VALUE));
    }

    private static void requireDistinct(Storage object) {
        List<String> names = object.childNames();
        if (new HashSet<>(names).size() != names.size()) {
            throw object.violation("must have each field of an object once", "children", names);
        }
    }

    private static Storage child(Storage group, String name) {
        int index = group.childNames().indexOf(name);
        return index < 0 ? null : group.child(index);
    }

    private static boolean isBinary(ArrowType type) {
        return type == ArrowType.Simple.BINARY
                || type == ArrowType.Simple.LARGE_BINARY
                || type == ArrowType.Simple.BINARY_VIEW;
    }

    /// The name of a part's extension type; null if it has none.
    private static String extension(Storage part) {
        return part.field().metadata().get(ExtensionType.NAME_KEY).orElse(null);
    }

    /// Rejects extension types: the specification lists the types of a variant's parts, and an
    /// extension type is none of them, for any storage.
    private static void requireNoExtension(Storage part) {
        String name = extension(part);
        if (name != null) {
            throw part.violation("must have no extension type here", ExtensionType.NAME_KEY, name);
        }
    }

    /// Checks an extension type of `typed_value`: the specification allows only `arrow.uuid`, which
    /// must itself be valid.
    private static void uuid(Storage typed, String extension) {
        if (!extension.equals(SimpleType.UUID.extensionName())) {
            requireNoExtension(typed);
        }
        try {
            ExtensionType.of(typed.field());
        } catch (InvalidSchemaException e) {
            throw e.under(typed.path());
        }
    }

    /// Returns whether the specification maps a type to a primitive type of variants.
    private static boolean isPrimitive(ArrowType type) {
        return switch (type) {
            case ArrowType.Simple.NULL,
                    ArrowType.Simple.BOOL,
                    ArrowType.Simple.BINARY,
                    ArrowType.Simple.LARGE_BINARY,
                    ArrowType.Simple.BINARY_VIEW,
                    ArrowType.Simple.UTF8,
                    ArrowType.Simple.LARGE_UTF8,
                    ArrowType.Simple.UTF8_VIEW ->
                    true;
            case ArrowType.Int(int bitWidth, boolean isSigned) -> isSigned || bitWidth < 64;
            case ArrowType.FloatingPoint precision -> precision != ArrowType.FloatingPoint.HALF;
            case ArrowType.Decimal decimal -> decimal.bitWidth() <= 128;
            case ArrowType.Date unit -> unit == ArrowType.Date.DAY;
            case ArrowType.Time time -> time.bitWidth() == 64;
            case ArrowType.Timestamp timestamp ->
                    (timestamp.unit() == TimeResolution.MICROSECOND
                                    || timestamp.unit() == TimeResolution.NANOSECOND)
                            && (!timestamp.hasTimezone() || timestamp.timezone().equals("UTC"));
            default -> false;
        };
    }
}
