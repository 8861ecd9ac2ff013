// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.Endianness;
import dev.fletch.format.Field;
import dev.fletch.format.FormatRules;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;

import java.lang.foreign.MemorySegment;

/// Applies [ReadOptions] to the metadata of one reader, and counts what was recognized. Belongs to one
/// thread at a time, as the reader does.
final class MetadataChecks {
    private final ReadOptions options;
    private final boolean verifies;
    // Null without a set of known schemas.
    final SchemaLookup schemas;
    private final Schema schema = new Schema();
    // Made when something is first verified; used again from then on.
    private Verifier verifier;

    private int endianness = Endianness.LITTLE;
    // Why there is no byte order; null if there is.
    private ArrowFormatException unreadable;

    // Whether the schema of the last message or footer was recognized.
    private boolean isSchemaRecognized;
    private long messagesRecognized;
    private long messagesParsed;
    private long schemasRecognized;
    private long schemasParsed;

    MetadataChecks(ReadOptions options) {
        this.options = options;
        verifies = options.verification() != Verification.NONE;
        schemas = options.knownSchemas() == null ? null : new SchemaLookup(options);
    }

    // ---- structure

    /// Binds to a message if its metadata is accepted; if not, [#fault] says why.
    boolean message(MemorySegment holder, long at, long length, Message into) {
        isSchemaRecognized = schemas != null && schemas.isKnownMessage(holder, at, length);
        if (isSchemaRecognized || !verifies) {
            into.wrap(holder, at, length);
        } else if (!verifier().message(holder, at, length, into)) {
            return false;
        }
        if (into.isRecognized()) {
            messagesRecognized++;
        } else {
            messagesParsed++;
        }
        return true;
    }

    /// Tells whether a footer is accepted; if not, [#fault] says why.
    boolean footer(MemorySegment holder, long at, long length) {
        isSchemaRecognized = schemas != null && schemas.isKnownFooter(holder, at, length, this);
        return isSchemaRecognized
                || switch (options.verification()) {
                    case FULL -> verifier().verify(Verifier.Root.FOOTER, holder, at, length);
                    case TOUCHED ->
                            verifier().verifyShallow(Verifier.Root.FOOTER, holder, at, length);
                    case NONE -> true;
                };
    }

    /// Tells whether a column of a footer may be used.
    boolean touched(Field field) {
        return options.verification() != Verification.TOUCHED || verifier().field(field);
    }

    /// Tells whether a key/value pair of a footer may be used.
    boolean touched(KeyValue pair) {
        return options.verification() != Verification.TOUCHED || verifier().keyValue(pair);
    }

    /// What the last answer of false was for; the same object each time.
    Fault fault() {
        return verifier.fault();
    }

    Verifier verifier() {
        if (verifier == null) {
            verifier =
                    schemas == null
                            ? new Verifier(options.verifierOptions())
                            : options.knownSchemas().verifier(options.verifierOptions());
        }
        return verifier;
    }

    // ---- schemas

    /// Counts a schema message that has passed all other checks, and refuses it if its byte order is
    /// refused.
    ///
    /// @return what is known of the schema, null if nothing
    KnownSchema schema(EncapsulatedMessage frame, Message message) {
        if (options.refusesForeignEndianness()) {
            remember(frame, message);
            requireLittle(endianness(), frame.metadataOffset());
        }
        count();
        return schemas == null ? null : schemas.schema(message, this);
    }

    /// Counts the schema of a footer that has passed all other checks.
    ///
    /// @return what is known of the schema, null if nothing
    KnownSchema footerSchema() {
        count();
        if (schemas == null) {
            return null;
        }
        final KnownSchema known = schemas.footerSchema(this);
        if (verifier != null) {
            options.knownSchemas().keep(verifier);
            verifier = null;
        }
        return known;
    }

    private void count() {
        if (isSchemaRecognized) {
            schemasRecognized++;
        } else {
            schemasParsed++;
        }
    }

    long messagesRecognized() {
        return messagesRecognized;
    }

    long messagesParsed() {
        return messagesParsed;
    }

    long schemasRecognized() {
        return schemasRecognized;
    }

    long schemasParsed() {
        return schemasParsed;
    }

    // ---- byte order of bodies

    /// Keeps the byte order of a message that is a schema. If it cannot be read, because it was not
    /// verified, [#endianness] throws.
    void remember(EncapsulatedMessage frame, Message message) {
        if (message.headerType() != MessageHeader.SCHEMA) {
            return;
        }
        try {
            endianness = message.header(schema) ? schema.endianness() : Endianness.LITTLE;
            unreadable = null;
        } catch (FlatBufferFormatException e) {
            unreadable = frame.malformed(e);
        }
    }

    /// Refuses any other byte order, if the options say so.
    void requireLittle(int value, long offset) {
        if (value != Endianness.LITTLE && options.refusesForeignEndianness()) {
            throw ArrowFormatException.of(
                    Endianness.NAMES.isKnown(value)
                            ? IpcRules.FOREIGN_ENDIANNESS
                            : FormatRules.UNKNOWN_ENDIANNESS,
                    offset,
                    "endianness=" + Endianness.NAMES.name(value));
        }
    }

    /// {@return the byte order of the last schema}
    ///
    /// @throws ArrowFormatException if that could not be read
    int endianness() {
        if (unreadable != null) {
            throw unreadable;
        }
        return endianness;
    }
}
