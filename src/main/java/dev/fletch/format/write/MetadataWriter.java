// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.Verifier;

/// Writes again the messages, footers, schemas and tensors that flyweights show, as they are or with
/// changes, in the order of a producer: what that producer wrote comes out byte for byte.
///
/// ```java
/// FlatBufferWriter buffer = new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect());
/// MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, buffer);
/// MetadataEdit edit = new MetadataEdit()
///         .schemaMetadata(new KeyValueEdit().put("origin", "station 7"))
///         .fields(new FieldListEdit().keep(0, 3).keepFrom(4));
/// buffer.wrap(memory);
/// writer.message(message, edit);
/// …(memory, buffer.offset(), buffer.length())…
/// ```
///
/// **What is written.** What the flyweights show: absent and empty are kept apart, and a number that
/// is present is written even where it is the default. What else the source holds is lost: padding,
/// the sharing of objects, fields that this version of the format does not know, a boolean's byte
/// other than 0 and 1. Whether defaults are forced ([FlatBufferWriter#forceDefaults]) matters for
/// changed numbers only.
///
/// **Source.** The source and whatever an edit adds are bound flyweights, whose memory must not
/// overlap the target's. They need not be verified: whatever their bytes are, the errors below are the
/// only ones.
///
/// **Nothing is repaired or refused.** What is wrong but can be read comes out as it was: strings
/// that are not UTF-8, a union's tag without its value, required fields that are absent. Where a
/// source is not trusted, verify it first: [Verifier] with
/// [dev.fletch.flatbuf.VerifierOptions#STRICT] tells of these.
///
/// **Allocation.** None where nothing is changed, once vectors as long and fields nested as deep have
/// been written before.
///
/// **Limits.** Objects that the source shares are written once per use, so a small source could
/// make a huge buffer. [#maxTables], [#maxBytes] and [#maxDepth] bound what is written.
///
/// **Errors.** [dev.fletch.FlatBufferFormatException] if the source's bytes lead out of it;
/// [RewriteException] if it holds an unknown member of a union, or a limit is passed;
/// [dev.fletch.flatbuf.write.TargetTooSmallException] if the target is too small; an
/// [IllegalStateException] if the buffer is finished or has anything open, or the source is not bound
/// or out of date; an [IndexOutOfBoundsException] if an edit keeps fields that are not there. After any
/// of them [FlatBufferWriter#reset] begins anew.
///
/// **Threads.** It belongs to one thread at a time, together with its buffer.
///
/// Source: the roots of `format/*.fbs`; for the order see [EmissionOrder].
public final class MetadataWriter {
    /// Tables that are written at most, unless [#maxTables] says otherwise: 1,000,000, the limit of
    /// the official verifiers.
    public static final int DEFAULT_MAX_TABLES = 1_000_000;

    /// Bytes that are written at most, unless [#maxBytes] says otherwise: 256 MiB.
    public static final int DEFAULT_MAX_BYTES = 1 << 28;

    /// Levels of fields that are written at most, unless [#maxDepth] says otherwise: 1024. Readers
    /// give up sooner; Arrow C++ does at 64.
    public static final int DEFAULT_MAX_DEPTH = 1024;

    private final Emission out;
    private final EmitSchemas schemas;
    private final EmitMessages messages;
    private final EmitFooters footers;
    private final EmitTensors tensors;

    /// Creates a writer that writes to a buffer.
    ///
    /// @param order whose bytes to write
    /// @param into where to; call [FlatBufferWriter#wrap] or [FlatBufferWriter#reset] before each
    ///     buffer, which each call here finishes
    /// @throws IllegalArgumentException if it has another dialect than `order`
    public MetadataWriter(EmissionOrder order, FlatBufferWriter into) {
        out = new Emission(order, into);
        final EmitTypes types = new EmitTypes(out);
        final EmitKeyValues keyValues = new EmitKeyValues(out);
        schemas = new EmitSchemas(out, types, keyValues);
        tensors = new EmitTensors(out, types);
        messages = new EmitMessages(out, keyValues, schemas, tensors);
        footers = new EmitFooters(out, keyValues, schemas);
    }

    /// {@return whose bytes are written}
    public EmissionOrder order() {
        return out.order;
    }

    /// {@return the buffer that is written to}
    public FlatBufferWriter buffer() {
        return out.writer;
    }

    // ---- limits

    /// Changes how many tables are written to one buffer at most.
    ///
    /// @param tables number of tables, at least 1
    /// @return this
    /// @throws IllegalArgumentException if it is less
    public MetadataWriter maxTables(int tables) {
        out.maxTables = atLeastOne(tables);
        return this;
    }

    /// Changes how many bytes are written to one buffer at most. This is checked before each table, so
    /// a buffer may become larger by one table with its strings and vectors.
    ///
    /// @param bytes number of bytes, at least 1
    /// @return this
    /// @throws IllegalArgumentException if it is less
    public MetadataWriter maxBytes(int bytes) {
        out.maxBytes = atLeastOne(bytes);
        return this;
    }

    /// Changes how deep fields are nested at most in what is written.
    ///
    /// @param levels number of levels, at least 1: only the schema's own fields
    /// @return this
    /// @throws IllegalArgumentException if it is less
    public MetadataWriter maxDepth(int levels) {
        out.maxDepth = atLeastOne(levels);
        return this;
    }

    private static int atLeastOne(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is not positive: limit=" + limit);
        }
        return limit;
    }

    // ---- wholes

    /// Writes a message as it is.
    ///
    /// @param source the message
    public void message(Message source) {
        message(source, MetadataEdit.NONE);
    }

    /// Writes a message with changes.
    ///
    /// @param source the message
    /// @param edit what to change
    public void message(Message source, MetadataEdit edit) {
        out.begin();
        out.writer.finish(messages.of(source, edit));
    }

    /// Writes a footer as it is.
    ///
    /// @param source the footer
    public void footer(Footer source) {
        footer(source, MetadataEdit.NONE);
    }

    /// Writes a footer with changes.
    ///
    /// @param source the footer
    /// @param edit what to change
    public void footer(Footer source, MetadataEdit edit) {
        out.begin();
        out.writer.finish(footers.of(source, edit));
    }

    /// Writes a schema as it is, as the root.
    ///
    /// @param source the schema
    public void schema(Schema source) {
        schema(source, MetadataEdit.NONE);
    }

    /// Writes a schema with changes, as the root.
    ///
    /// @param source the schema
    /// @param edit what to change
    public void schema(Schema source, MetadataEdit edit) {
        out.begin();
        out.writer.finish(schemas.of(source, edit));
    }

    /// Writes a tensor's header as it is, as the root.
    ///
    /// @param source the header
    public void tensor(Tensor source) {
        out.begin();
        out.writer.finish(tensors.of(source));
    }

    /// Writes a sparse tensor's header as it is, as the root.
    ///
    /// @param source the header
    public void sparseTensor(SparseTensor source) {
        out.begin();
        out.writer.finish(tensors.of(source));
    }

    /// Writes the message that a stream begins with, around a schema from anywhere, such as a footer's.
    ///
    /// @param source the schema
    /// @param version version of the format, one of [MetadataVersion]
    /// @param edit what to change in the schema, and the message's key/value pairs
    public void schemaMessage(Schema source, int version, MetadataEdit edit) {
        out.begin();
        out.writer.finish(messages.around(source, version, edit));
    }

    /// Writes the footer of a file, around a schema from anywhere, such as a stream's first message.
    ///
    /// @param source the schema
    /// @param version version of the format, one of [MetadataVersion]
    /// @param edit where the batches are, what to change in the schema, and the file's own
    ///     key/value pairs
    public void schemaFooter(Schema source, int version, MetadataEdit edit) {
        out.begin();
        out.writer.finish(footers.around(source, version, edit));
    }
}
