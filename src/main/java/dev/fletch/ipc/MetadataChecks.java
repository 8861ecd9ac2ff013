// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.Fault;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.format.Endianness;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
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

    MetadataChecks(ReadOptions options) {
        this.options = options;
        verifies = options.verification() != Verification.NONE;
        refusesForeignEndianness = options.refusesForeignEndianness();
    }

    // ---- structure

    /// Binds to a message if it may be bound; if not, [#fault] says why.
    boolean message(MemorySegment holder, long at, long length, Message into) {
        if (!verifies) {
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

    long messagesRecognized() {
        return messagesRecognized;
    }

    long messagesParsed() {
        return messagesParsed;
    }

    /// Tells whether a footer may be bound; if not, [#fault] says why.
    boolean footer(MemorySegment holder, long at, long length) {
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

    private Verifier verifier() {
        if (verifier == null) {
            verifier = new Verifier(options.verifierOptions());
        }
        return verifier;
    }

    // ---- byte order of bodies

    /// Refuses a schema, if that is what the message is, where the options want it refused.
    void byteOrder(EncapsulatedMessage frame, Message message) {
        if (refusesForeignEndianness && message.headerType() == MessageHeader.SCHEMA) {
            remember(frame, message);
            requireLittle(endianness(), frame.metadataOffset());
        }
    }

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
                    Endianness.isKnown(value)
                            ? IpcFault.FOREIGN_ENDIANNESS
                            : IpcFault.UNKNOWN_ENDIANNESS,
                    offset,
                    "endianness=" + Endianness.name(value));
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
