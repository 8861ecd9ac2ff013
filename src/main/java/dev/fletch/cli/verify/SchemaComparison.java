// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.cli.schema.SchemaWalk;
import dev.fletch.flatbuf.Flyweight;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.wire.Escaper;

import java.util.Objects;

/// Holds a footer's schema against that of the first message: by what they say, not by their bytes,
/// but texts byte by byte. Each place where they differ is told, but nothing below lists of different
/// lengths, and nothing that cannot be read in one of them.
///
/// No schema is too large for it: it reaches no table more often than the verifier has, and
/// [TextRegion] bounds what texts cost.
public final class SchemaComparison {
    private static final int SHOWN_CHARS = 80;

    private final SchemaSide footer;
    private final SchemaSide stream;
    private final TypeComparison types;
    private final Findings findings;
    private final StringBuilder path = new StringBuilder("schema");

    SchemaComparison(SchemaSide footer, SchemaSide stream, Findings findings) {
        this.footer = footer;
        this.stream = stream;
        this.types = new TypeComparison(footer, stream);
        this.findings = findings;
    }

    void run() {
        Schema ofFooter = footer.walk().schema();
        Schema ofStream = stream.walk().schema();
        same(
                "endianness",
                Endianness.NAMES.name(ofFooter.endianness()),
                Endianness.NAMES.name(ofStream.endianness()),
                ofFooter);
        if (sameCount("fields", ofFooter.fieldsCount(), ofStream.fieldsCount(), ofFooter)) {
            for (int i = 0; i < ofFooter.fieldsCount(); i++) {
                int column = i;
                inside(
                        "fields",
                        i,
                        () -> field(footer.walk().column(column), stream.walk().column(column), 0));
            }
        }
        int pairs = ofFooter.customMetadataCount();
        if (sameCount("customMetadata", pairs, ofStream.customMetadataCount(), ofFooter)) {
            for (int i = 0; i < pairs; i++) {
                int pair = i;
                inside(
                        "customMetadata",
                        i,
                        () -> pair(footer.walk().metadata(pair), stream.walk().metadata(pair)));
            }
        }
        features(ofFooter, ofStream);
    }

    private void features(Schema ofFooter, Schema ofStream) {
        if (sameCount("features", ofFooter.featuresCount(), ofStream.featuresCount(), ofFooter)) {
            for (int i = 0; i < ofFooter.featuresCount(); i++) {
                long found = ofFooter.features(i);
                long expected = ofStream.features(i);
                if (found != expected) {
                    int length = enter("features", i);
                    differ("", Feature.NAMES.name(found), Feature.NAMES.name(expected), ofFooter);
                    path.setLength(length);
                }
            }
        }
    }

    private void field(Field ofFooter, Field ofStream, int depth) {
        text("name", ofFooter, ofStream, Field.NAME_SLOT);
        same(
                "nullable",
                Boolean.toString(ofFooter.nullable()),
                Boolean.toString(ofStream.nullable()),
                ofFooter);
        if (isWhole("type") && isWhole("typeType") && !types.isSame(ofFooter, ofStream)) {
            differ("type", types.ofFooter(ofFooter), types.ofStream(ofStream), ofFooter);
        }
        if (isWhole("dictionary")) {
            same(
                    "dictionary",
                    types.footerDictionary(ofFooter),
                    types.streamDictionary(ofStream),
                    ofFooter);
        }
        int pairs = ofFooter.customMetadataCount();
        if (sameCount("customMetadata", pairs, ofStream.customMetadataCount(), ofFooter)) {
            for (int i = 0; i < pairs; i++) {
                int pair = i;
                inside(
                        "customMetadata",
                        i,
                        () ->
                                pair(
                                        footer.walk().metadata(ofFooter, pair),
                                        stream.walk().metadata(ofStream, pair)));
            }
        }
        int children = ofFooter.childrenCount();
        if (sameCount("children", children, ofStream.childrenCount(), ofFooter)) {
            for (int i = 0; i < children; i++) {
                int child = i;
                inside(
                        "children",
                        i,
                        () ->
                                field(
                                        footer.walk().child(ofFooter, child, depth + 1),
                                        stream.walk().child(ofStream, child, depth + 1),
                                        depth + 1));
            }
        }
    }

    private void pair(KeyValue ofFooter, KeyValue ofStream) {
        text("key", ofFooter, ofStream, KeyValue.KEY_SLOT);
        text("value", ofFooter, ofStream, KeyValue.VALUE_SLOT);
    }

    // ---- places

    /// Compares one element of a list.
    private void inside(String list, int index, Runnable comparison) {
        int length = enter(list, index);
        if (!isBroken(path.toString())) {
            try {
                comparison.run();
            } catch (FlatBufferFormatException e) {
                if (footer.broken().isEmpty() && stream.broken().isEmpty()) {
                    throw e;
                }
                // One of them cannot even be bound, which the verifier has told.
            }
        }
        path.setLength(length);
    }

    private int enter(String list, int index) {
        int length = path.length();
        path.append('.').append(list).append('[').append(index).append(']');
        return length;
    }

    private boolean isBroken(String place) {
        return footer.broken().contains(place) || stream.broken().contains(place);
    }

    private boolean isWhole(String what) {
        if (footer.broken().isEmpty() && stream.broken().isEmpty()) {
            return true;
        }
        String place = path + "." + what;
        return footer.broken().isWhole(place) && stream.broken().isWhole(place);
    }

    // ---- values

    private boolean sameCount(String list, int ofFooter, int ofStream, Flyweight at) {
        if (isNone(list)) {
            return false;
        }
        if (ofFooter != ofStream) {
            differ(list, "count=" + ofFooter, "count=" + ofStream, at);
        }
        return ofFooter == ofStream;
    }

    /// Whether a list cannot be read at all, in one of both.
    private boolean isNone(String list) {
        return !(footer.broken().isEmpty() && stream.broken().isEmpty())
                && isBroken(path + "." + list);
    }

    /// @param ofFooter null if it is absent, which is the same as empty
    private void same(String what, String ofFooter, String ofStream, Flyweight at) {
        String found = SchemaWalk.orEmpty(ofFooter);
        String expected = SchemaWalk.orEmpty(ofStream);
        if (!Objects.equals(found, expected) && !isNone(what)) {
            differ(what, found, expected, at);
        }
    }

    /// An absent text is the same as an empty one.
    private void text(String what, Table ofFooter, Table ofStream, int slot) {
        if (!isWhole(what)) {
            return;
        }
        TextRegion texts = footer.texts();
        TextRegion others = stream.texts();
        long found = texts.find(ofFooter, slot);
        long expected = others.find(ofStream, slot);
        if (texts.matches(found, others, expected, Byte.BYTES)) {
            return;
        }
        String shown = shown(texts.beginning(found, SHOWN_CHARS));
        String other = shown(others.beginning(expected, SHOWN_CHARS));
        if (shown.equals(other)) { // they differ further on, or in bytes that are no text
            shown += " in " + texts.count(found) + " bytes";
            other += " in " + others.count(expected) + " other bytes";
        }
        add(what, shown, other, ofFooter);
    }

    private void differ(String what, String found, String expected, Flyweight at) {
        add(what, shown(found), shown(expected), at);
    }

    private void add(String what, String found, String expected, Flyweight at) {
        findings.add(
                InputRules.SCHEMA_DIFFERS,
                Finding.NO_MESSAGE,
                what.isEmpty() ? path.toString() : path + "." + what,
                at.position(),
                "footer=" + found + ", stream=" + expected);
    }

    /// A value may be a page long.
    private static String shown(String value) {
        return value.length() <= SHOWN_CHARS
                ? Escaper.name(value)
                : Escaper.name(value.substring(0, SHOWN_CHARS)) + "…";
    }
}
