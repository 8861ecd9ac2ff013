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

/// What [ReadOptions] ask of metadata, done to one message or footer after the other. Belongs to
/// one thread at a time, as whoever has it does.
final class MetadataChecks {
    private final ReadOptions options;
    private final boolean verifies;
    private final boolean refusesForeignEndianness;
    // Made when something is first verified or asked for; used again from then on.
    private Verifier verifier;
    private Schema schema;
    private int endianness = Endianness.LITTLE;
    private long messagesRecognized;
    private long messagesParsed;
    // Why there is no byte order to tell, null if there is.
    private ArrowFormatException unreadable;
    // Null without a set of known schemas.
    final SchemaLookup schemas;
    private boolean recognized;
    private long schemasRecognized;
    private long schemasParsed;

    MetadataChecks(ReadOptions options) {
        this.options = options;
        verifies = options.verification() != Verification.NONE;
        refusesForeignEndianness = options.refusesForeignEndianness();
        schemas =
                options.knownSchemas() == null
                        ? null
                        : new SchemaLookup(
                                options.knownSchemas(),
                                options.verifierOptions(),
                                options.verification());
    }

    // ---- structure

    /// Binds to a message if it may be bound; if not, [#fault] says why.
    boolean message(MemorySegment holder, long at, long length, Message into) {
        if (schemas != null && isAccepted(holder, at, length) || !verifies) {
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

    /// Tells whether a message was verified before, or a copy of it just now.
    private boolean isAccepted(MemorySegment holder, long at, long length) {
        recognized = schemas.isKnownMessage(holder, at, length);
        return recognized || schemas.isLearnedMessage(holder, at, length, this);
    }

    long messagesRecognized() {
        return messagesRecognized;
    }

    long messagesParsed() {
        return messagesParsed;
    }

    /// Tells whether a footer may be bound; if not, [#fault] says why.
    boolean footer(MemorySegment holder, long at, long length) {
        if (schemas == null || options.verification() == Verification.NONE) {
            recognized = schemas != null && schemas.isKnownFooter(holder, at, length, null);
            return recognized || isFooterRight(holder, at, length);
        }
        verifier = options.knownSchemas().verifier(options.verifierOptions());
        recognized = schemas.isKnownFooter(holder, at, length, verifier);
        final boolean right =
                recognized
                        || schemas.isLearnedFooter(holder, at, length, verifier)
                        || isFooterRight(holder, at, length);
        if (right) {
            options.knownSchemas().keep(verifier);
            verifier = null;
        }
        return right;
    }

    private boolean isFooterRight(MemorySegment holder, long at, long length) {
        return switch (options.verification()) {
            case FULL -> verifier().footer(holder, at, length);
            case TOUCHED -> verifier().footerShallow(holder, at, length);
            case NONE -> true;
        };
    }

    /// Tells whether a column of a footer may be used.
    boolean touched(Field field) {
        return options.verification() != Verification.TOUCHED || verifier().field(field);
    }

    /// Tells whether a pair of a footer may be used.
    boolean touched(KeyValue pair) {
        return options.verification() != Verification.TOUCHED || verifier().keyValue(pair);
    }

    /// What the last answer of false was for; the same object each time.
    Fault fault() {
        return verifier.fault();
    }

    Verifier verifier() {
        if (verifier == null) {
            verifier = new Verifier(options.verifierOptions());
        }
        return verifier;
    }

    // ---- schemas

    /// Takes a message that has passed all other checks: if it is a schema, counts it, and refuses it
    /// where the options say so.
    ///
    /// @return what is known of the schema, null if nothing or if the message is no schema
    KnownSchema schema(EncapsulatedMessage frame, Message message) {
        if (refusesForeignEndianness) {
            remember(frame, message);
            requireLittle(endianness(), frame.metadataOffset());
        }
        count();
        return schemas == null ? null : schemas.schema(message);
    }

    /// Takes a footer that has passed all other checks, and counts its schema.
    ///
    /// @return what is known of the schema, null if nothing
    KnownSchema footerSchema() {
        count();
        return schemas == null ? null : schemas.footerSchema();
    }

    private void count() {
        if (recognized) {
            schemasRecognized++;
        } else {
            schemasParsed++;
        }
    }

    /// How many schemas were recognized.
    long schemasRecognized() {
        return schemasRecognized;
    }

    /// How many schemas were not recognized.
    long schemasParsed() {
        return schemasParsed;
    }

    // ---- byte order of bodies

    /// Takes the byte order of a schema, if that is what the message is. One that was not verified
    /// may have none that can be read: only who asks for it is told.
    void remember(EncapsulatedMessage frame, Message message) {
        if (message.headerType() != MessageHeader.SCHEMA) {
            return;
        }
        try {
            endianness = message.header(schema()) ? schema.endianness() : Endianness.LITTLE;
            unreadable = null;
        } catch (FlatBufferFormatException e) {
            unreadable = frame.malformed(e);
        }
    }

    /// Refuses any other byte order, where the options want it refused.
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

    /// What [#remember] has taken last.
    ///
    /// @throws ArrowFormatException if that could not be read
    int endianness() {
        if (unreadable != null) {
            throw unreadable;
        }
        return endianness;
    }

    private Schema schema() {
        if (schema == null) {
            schema = new Schema();
        }
        return schema;
    }
}
