// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.cli.schema.SchemaWalk;
import dev.fletch.format.Field;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

/// Holds the types of two schemas against each other. Two have parts of any length, a time zone and
/// a union's ids: these are compared where they lie, and made a text of only if that is short.
public final class TypeComparison {
    // How much of a schema, as bytes of metadata, may go into the text of one type.
    private static final long SHOWN_BYTES = 64;

    private final SchemaSide footer;
    private final SchemaSide stream;
    private final Timestamp footerTimestamp = new Timestamp();
    private final Timestamp streamTimestamp = new Timestamp();
    private final Union footerUnion = new Union();
    private final Union streamUnion = new Union();

    TypeComparison(SchemaSide footer, SchemaSide stream) {
        this.footer = footer;
        this.stream = stream;
    }

    boolean isSame(Field ofFooter, Field ofStream) {
        int id = ofFooter.typeType();
        boolean isPresent = ofFooter.isPresent(Field.TYPE_SLOT);
        if (id != ofStream.typeType() || isPresent != ofStream.isPresent(Field.TYPE_SLOT)) {
            return false;
        }
        if (isPresent && id == Type.TIMESTAMP) {
            ofFooter.type(footerTimestamp);
            ofStream.type(streamTimestamp);
            return isSame(footerTimestamp, streamTimestamp);
        }
        if (isPresent && id == Type.UNION) {
            ofFooter.type(footerUnion);
            ofStream.type(streamUnion);
            return isSame(footerUnion, streamUnion);
        }
        return footer.walk().typeText(ofFooter).equals(stream.walk().typeText(ofStream));
    }

    private boolean isSame(Timestamp found, Timestamp expected) {
        int slot = Timestamp.TIMEZONE_SLOT;
        return found.unit() == expected.unit()
                && found.isPresent(slot) == expected.isPresent(slot)
                && footer.texts()
                        .matches(
                                footer.texts().find(found, slot),
                                stream.texts(),
                                stream.texts().find(expected, slot),
                                Byte.BYTES);
    }

    private boolean isSame(Union found, Union expected) {
        int slot = Union.TYPE_IDS_SLOT;
        return found.mode() == expected.mode()
                && found.isPresent(slot) == expected.isPresent(slot)
                && footer.texts()
                        .matches(
                                footer.texts().find(found, slot),
                                stream.texts(),
                                stream.texts().find(expected, slot),
                                Integer.BYTES);
    }

    // ---- texts

    String ofFooter(Field field) {
        return text(footer, field);
    }

    String ofStream(Field field) {
        return text(stream, field);
    }

    private static String text(SchemaSide side, Field field) {
        try {
            return new SchemaWalk(side.walk().schema(), SHOWN_BYTES).typeText(field);
        } catch (FlatBufferFormatException _) {
            return Type.NAMES.name(field.typeType()) + " (too long to show)";
        }
    }

    /// Null if there is none.
    String footerDictionary(Field field) {
        return footer.walk().dictionaryText(field);
    }

    /// Null if there is none.
    String streamDictionary(Field field) {
        return stream.walk().dictionaryText(field);
    }
}
