// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.events.Events;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.internal.EndiannessCheck;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Applies [ReadOptions] to the metadata of one reader, and counts recognized schemas.
/// Belongs to one thread at a time, like the reader.
final class MetadataChecks {
    final ReadOptions options;
    final int maxMetadataBytes;
    final long maxBodyBytes;
    final boolean refusesFrames;
    // Null without a set of known schemas.
    final SchemaLookup schemas;
    // For the check of the byte order; null without it.
    private final Schema schema;
    // Created when first needed.
    private Verifier verifier;

    // Whether the schema of the last message or footer was recognized.
    private boolean isSchemaRecognized;
    long schemasRecognized;
    long schemasParsed;

    MetadataChecks(ReadOptions options) {
        this.options = options;
        maxMetadataBytes = (int) Math.min(options.limits().metadataBytes(), Wire.LONGEST_ARRAY);
        maxBodyBytes = options.limits().bodyBytes();
        refusesFrames = FrameCheck.hasSome(options.refused());
        schemas = options.knownSchemas() == null ? null : new SchemaLookup(options);
        schema = options.checks().has(Check.LITTLE_ENDIAN) ? new Schema() : null;
    }

    // ---- structure

    /// Binds to a message and returns true if its metadata is valid; otherwise see [#fault].
    boolean message(MemorySegment holder, long position, long length, Message into) {
        isSchemaRecognized = schemas != null && schemas.isKnownMessage(holder, position, length);
        if (!isSchemaRecognized) {
            return verifier().message(holder, position, length, into);
        }
        into.wrap(holder, position, length);
        return true;
    }

    /// Returns whether a footer is valid; otherwise see [#fault].
    boolean footer(MemorySegment holder, long position, long length) {
        isSchemaRecognized =
                schemas != null && schemas.isKnownFooter(holder, position, length, verifier());
        return isSchemaRecognized
                || (options.level() == Level.TOUCHED
                        ? verifier().verifyShallow(Verifier.Root.FOOTER, holder, position, length)
                        : verifier().verify(Verifier.Root.FOOTER, holder, position, length));
    }

    /// Verifies a column or a key/value pair of a footer under [ReadOptions.Level#TOUCHED].
    boolean touched(Table part) {
        return options.level() != Level.TOUCHED
                || switch (part) {
                    case Field field -> verifier().field(field);
                    case KeyValue pair -> verifier().keyValue(pair);
                    default ->
                            throw new IllegalArgumentException(
                                    "expected a Field or a KeyValue: class="
                                            + part.getClass().getSimpleName());
                };
    }

    /// The fault of the last check that returned false; always the same object.
    Fault fault() {
        return verifier.fault();
    }

    /// Creates the exception for a flatbuffer that does not verify.
    ///
    /// @param flatbuffer metadata or footer
    /// @param offset of the fault in the input
    /// @param cause has the rule, path and value
    static FletchException invalid(String flatbuffer, long offset, Fault cause) {
        String path = cause.path();
        String code = "code=" + cause.rule().id() + (path.isEmpty() ? "" : ", path=" + path);
        String text =
                flatbuffer
                        + " does not verify: "
                        + cause.rule().description()
                        + ": "
                        + code
                        + ", value="
                        + cause.value();
        return FletchException.inInput(cause.in(offset).withText(text), cause.exception());
    }

    Verifier verifier() {
        if (verifier == null) {
            verifier = new Verifier(options.checks());
        }
        return verifier;
    }

    // ---- schemas

    /// Counts a schema message that passed all other checks, and checks its byte order.
    ///
    /// @return the schema's handle, null if it is not known
    KnownSchema schema(Message message, long offset) {
        if (schema != null && message.header(schema)) {
            requireLittle(offset);
        }
        count(SchemaLookup.SCHEMA, message.bufferLength());
        return schemas == null ? null : schemas.schema(message, verifier());
    }

    /// [#schema] for a footer.
    KnownSchema footerSchema(Footer footer, long offset) {
        if (schema != null && footer.schema(schema)) {
            requireLittle(offset);
        }
        count(SchemaLookup.FOOTER, footer.bufferLength());
        return schemas == null ? null : schemas.schema(footer, verifier());
    }

    private void requireLittle(long offset) {
        int endianness = schema.endianness();
        Rule broken = EndiannessCheck.broken(endianness, true);
        if (broken != null) {
            String details = "endianness=" + Endianness.NAMES.name(endianness);
            throw FletchException.inInput(Fault.of(broken, offset, endianness).because(details));
        }
    }

    private void count(String kind, long bytes) {
        if (isSchemaRecognized) {
            schemasRecognized++;
        } else {
            schemasParsed++;
            Events.schemaParsed(kind, bytes);
        }
    }
}
