// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.flatbuf.Flyweight;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;

import java.util.Objects;

/// Holds a footer's schema against that of the first message: by what they say, not by their bytes.
/// Each place where they differ is told, but nothing below lists of different lengths.
final class SchemaComparison {
    private final SchemaWalk footer;
    private final SchemaWalk stream;
    private final TypeText footerTypes;
    private final TypeText streamTypes;
    private final Findings findings;
    private final StringBuilder path = new StringBuilder("schema");

    SchemaComparison(SchemaWalk footer, SchemaWalk stream, Findings findings) {
        this.footer = footer;
        this.stream = stream;
        this.footerTypes = new TypeText(footer);
        this.streamTypes = new TypeText(stream);
        this.findings = findings;
    }

    void run() {
        Schema ofFooter = footer.schema();
        Schema ofStream = stream.schema();
        same(
                "endianness",
                Endianness.name(ofFooter.endianness()),
                Endianness.name(ofStream.endianness()),
                ofFooter);
        if (sameCount("fields", ofFooter.fieldsCount(), ofStream.fieldsCount(), ofFooter)) {
            for (int i = 0; i < ofFooter.fieldsCount(); i++) {
                int length = enter("fields", i);
                field(footer.column(i), stream.column(i), 0);
                path.setLength(length);
            }
        }
        int pairs = ofFooter.customMetadataCount();
        if (sameCount("customMetadata", pairs, ofStream.customMetadataCount(), ofFooter)) {
            for (int i = 0; i < pairs; i++) {
                pair(i, footer.metadata(i), stream.metadata(i));
            }
        }
        if (sameCount("features", ofFooter.featuresCount(), ofStream.featuresCount(), ofFooter)) {
            for (int i = 0; i < ofFooter.featuresCount(); i++) {
                int length = enter("features", i);
                same(
                        "",
                        Feature.name(footer.feature(i)),
                        Feature.name(stream.feature(i)),
                        ofFooter);
                path.setLength(length);
            }
        }
    }

    private void field(Field ofFooter, Field ofStream, int depth) {
        same("name", footer.name(ofFooter), stream.name(ofStream), ofFooter);
        same(
                "nullable",
                Boolean.toString(ofFooter.nullable()),
                Boolean.toString(ofStream.nullable()),
                ofFooter);
        same("type", footerTypes.of(ofFooter), streamTypes.of(ofStream), ofFooter);
        same(
                "dictionary",
                footerTypes.dictionary(ofFooter),
                streamTypes.dictionary(ofStream),
                ofFooter);
        int pairs = ofFooter.customMetadataCount();
        if (sameCount("customMetadata", pairs, ofStream.customMetadataCount(), ofFooter)) {
            for (int i = 0; i < pairs; i++) {
                pair(i, footer.metadata(ofFooter, i), stream.metadata(ofStream, i));
            }
        }
        int children = ofFooter.childrenCount();
        if (sameCount("children", children, ofStream.childrenCount(), ofFooter)) {
            for (int i = 0; i < children; i++) {
                int length = enter("children", i);
                field(
                        footer.child(ofFooter, i, depth + 1),
                        stream.child(ofStream, i, depth + 1),
                        depth + 1);
                path.setLength(length);
            }
        }
    }

    private void pair(int index, KeyValue ofFooter, KeyValue ofStream) {
        int length = enter("customMetadata", index);
        same("key", footer.key(ofFooter), stream.key(ofStream), ofFooter);
        same("value", footer.value(ofFooter), stream.value(ofStream), ofFooter);
        path.setLength(length);
    }

    private int enter(String list, int index) {
        int length = path.length();
        path.append('.').append(list).append('[').append(index).append(']');
        return length;
    }

    private boolean sameCount(String list, int ofFooter, int ofStream, Flyweight at) {
        String counted = "count=";
        return same(list, counted + ofFooter, counted + ofStream, at);
    }

    /// @param ofFooter null if it is absent, which is the same as empty
    private boolean same(String what, String ofFooter, String ofStream, Flyweight at) {
        String found = SchemaWalk.orEmpty(ofFooter);
        String expected = SchemaWalk.orEmpty(ofStream);
        if (Objects.equals(found, expected)) {
            return true;
        }
        findings.add(
                InputFault.SCHEMA_DIFFERS,
                Finding.NO_MESSAGE,
                what.isEmpty() ? path.toString() : path + "." + what,
                at.position(),
                "footer=" + shown(found) + ", stream=" + shown(expected));
        return false;
    }

    /// A value may be a page long.
    private static String shown(String value) {
        int limit = 80;
        return value.length() <= limit
                ? Printable.name(value)
                : Printable.name(value.substring(0, limit)) + "…";
    }
}
