// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The columns of a stream or file, as values.
///
/// `equals` is exact; [#sameMeaning] and [#diff] compare what it means.
///
/// `of` copies what bytes say, independent of the bytes. It throws an [InvalidSchemaException] if they
/// break a rule of the Arrow format or a limit, and a [dev.fletch.FlatBufferFormatException] or an
/// [IndexOutOfBoundsException] if they are malformed. Without limits it reads by
/// [SchemaLimits#DEFAULT].
///
/// Source: `format/Schema.fbs`, table `Schema`.
///
/// @param endianness byte order of the numbers in bodies
/// @param fields the columns, in their order
/// @param metadata pairs of the application
/// @param features what a reader must know, each one of [dev.fletch.format.Feature]; others are
///     kept, as a newer file may hold them
/// @param omitted what the bytes leave out: [Omitted#FIELDS], [Omitted#METADATA],
///     [Omitted#FEATURES]
public record ArrowSchema(
        Endianness endianness,
        List<ArrowField> fields,
        Metadata metadata,
        List<Long> features,
        Set<Omitted> omitted) {
    /// Byte order of the numbers in bodies. Ordinals are the numbers in the bytes.
    public enum Endianness {
        /// The lowest byte first.
        LITTLE,
        /// The highest byte first.
        BIG
    }

    /// Checks and copies the parts.
    ///
    /// @throws InvalidSchemaException if something is named as omitted and not empty
    public ArrowSchema {
        Objects.requireNonNull(endianness, "endianness");
        Objects.requireNonNull(metadata, "metadata");
        fields = List.copyOf(fields);
        features = List.copyOf(features);
        Set<Omitted> empty = EnumSet.noneOf(Omitted.class);
        if (fields.isEmpty()) {
            empty.add(Omitted.FIELDS);
        }
        if (metadata.isEmpty()) {
            empty.add(Omitted.METADATA);
        }
        if (features.isEmpty()) {
            empty.add(Omitted.FEATURES);
        }
        omitted = Omitted.checked(omitted, empty);
    }

    /// A little-endian schema without metadata and features.
    ///
    /// @param fields the columns, in their order
    /// @return a schema whose vectors of metadata and features are omitted
    public static ArrowSchema of(ArrowField... fields) {
        return of(List.of(fields));
    }

    /// A little-endian schema without metadata and features.
    ///
    /// @param fields the columns, in their order
    /// @return a schema whose vectors of metadata and features are omitted
    public static ArrowSchema of(List<ArrowField> fields) {
        return new ArrowSchema(
                Endianness.LITTLE,
                fields,
                Metadata.EMPTY,
                List.of(),
                Set.of(Omitted.METADATA, Omitted.FEATURES));
    }

    /// Reads a schema.
    ///
    /// @param schema bound to it
    /// @return a copy
    public static ArrowSchema of(Schema schema) {
        return of(schema, SchemaLimits.DEFAULT);
    }

    /// Reads a schema.
    ///
    /// @param schema bound to it
    /// @param limits how much is read
    /// @return a copy
    public static ArrowSchema of(Schema schema, SchemaLimits limits) {
        return new SchemaReader(limits).schema(schema);
    }

    /// Finds the values of a schema that a reader has recognized, or reads them and keeps them for the
    /// next time.
    ///
    /// @param known what the reader knows of the schema; null if nothing. If it knows only the
    ///     columns, this reads the schema each time
    /// @param schema bound to the schema
    /// @param limits how much is read
    /// @return the same object for the same schema and limits
    public static ArrowSchema of(KnownSchema known, Schema schema, SchemaLimits limits) {
        if (known == null || !known.isWhole()) {
            return of(schema, limits);
        }
        final ArrowSchema kept = known.attached(ArrowSchema.class, false, 0, limits);
        if (kept != null) {
            return kept;
        }
        final ArrowSchema read;
        try {
            read = of(known.schema(new Schema()), limits);
        } catch (InvalidSchemaException e) {
            return of(schema, limits); // whose fault has the offset in the caller's memory
        }
        return known.attach(ArrowSchema.class, false, 0, limits, read);
    }

    /// Reads the schema that a message brings.
    ///
    /// @param message bound to it
    /// @return a copy
    /// @throws InvalidSchemaException if the message is of another kind, too
    public static ArrowSchema of(Message message) {
        Schema schema = new Schema();
        if (!message.header(schema)) {
            throw new InvalidSchemaException(
                    "message must have a schema as its header",
                    null,
                    "header_type",
                    MessageHeader.NAMES.name(message.headerType()));
        }
        return of(schema);
    }

    /// Reads the schema in a file's footer.
    ///
    /// @param footer bound to it
    /// @return a copy
    /// @throws InvalidSchemaException if there is no schema, too
    public static ArrowSchema of(Footer footer) {
        Schema schema = new Schema();
        if (!footer.schema(schema)) {
            throw new InvalidSchemaException("footer must have a schema", null, "schema", "absent");
        }
        return of(schema);
    }

    // ---- back to bytes

    /// Writes it to memory of its own, for whoever goes on with tables: a [MetadataWriter] writes
    /// them in the order of a producer, into a message or a footer. What is omitted is absent.
    ///
    /// @return bound to heap memory that nobody else writes to
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if it has no room in 2 GiB
    public Schema toTable() {
        return SchemaTables.of(this);
    }

    /// Writes it as the root of a buffer, with the bytes of a producer: what is omitted stays
    /// absent, so what was read from that producer comes out as it was.
    ///
    /// @param order whose bytes to write
    /// @param into where to: begun, and of that producer's dialect; it is finished then
    /// @throws IllegalArgumentException if `into` has another dialect
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if the target is too small
    public void write(EmissionOrder order, FlatBufferWriter into) {
        writer(order, into).schema(toTable());
    }

    /// Writes the message that a stream begins with, of version 5, with the bytes of a producer.
    /// What is written, and errors, are those of [#write].
    ///
    /// @param order whose bytes to write
    /// @param into where to: begun, and of that producer's dialect; it is finished then
    public void writeMessage(EmissionOrder order, FlatBufferWriter into) {
        writer(order, into).schemaMessage(toTable(), MetadataVersion.V5, new MetadataEdit());
    }

    /// The tables are those of values that are there already, so there is nothing to be limited.
    private static MetadataWriter writer(EmissionOrder order, FlatBufferWriter into) {
        return new MetadataWriter(order, into)
                .maxTables(Integer.MAX_VALUE)
                .maxBytes(Integer.MAX_VALUE);
    }

    // ---- the same with a change

    /// The same with another byte order.
    ///
    /// @param newEndianness byte order of the numbers in bodies
    /// @return a new schema
    public ArrowSchema withEndianness(Endianness newEndianness) {
        return new ArrowSchema(newEndianness, fields, metadata, features, omitted);
    }

    /// The same with other columns.
    ///
    /// @param newFields the columns, in their order
    /// @return a new schema
    public ArrowSchema withFields(List<ArrowField> newFields) {
        Set<Omitted> newOmitted =
                newFields.isEmpty() ? omitted : Omitted.changed(omitted, Omitted.FIELDS, false);
        return new ArrowSchema(endianness, newFields, metadata, features, newOmitted);
    }

    /// The same with other metadata, all of it; where there is none the vector stays as it was, if
    /// there was none before, and is else omitted.
    ///
    /// @param newMetadata pairs of the application
    /// @return a new schema
    public ArrowSchema withMetadata(Metadata newMetadata) {
        boolean isOmitted =
                newMetadata.isEmpty()
                        && (!metadata.isEmpty() || omitted.contains(Omitted.METADATA));
        Set<Omitted> newOmitted = Omitted.changed(omitted, Omitted.METADATA, isOmitted);
        return new ArrowSchema(endianness, fields, newMetadata, features, newOmitted);
    }

    /// The same with other metadata, all of it.
    ///
    /// @param keysAndValues a key, its value, the next key and so on
    /// @return a new schema
    /// @throws IllegalArgumentException if the last key has no value
    public ArrowSchema withMetadata(String... keysAndValues) {
        return withMetadata(Metadata.of(keysAndValues));
    }

    /// The same with other features, all of them; without any the vector is omitted.
    ///
    /// @param newFeatures what a reader must know, each one of [dev.fletch.format.Feature]
    /// @return a new schema
    public ArrowSchema withFeatures(List<Long> newFeatures) {
        Set<Omitted> newOmitted = Omitted.changed(omitted, Omitted.FEATURES, newFeatures.isEmpty());
        return new ArrowSchema(endianness, fields, metadata, newFeatures, newOmitted);
    }

    /// The same with other empty parts left out.
    ///
    /// @param newOmitted what the bytes leave out
    /// @return a new schema
    /// @throws InvalidSchemaException if one of them is not empty
    public ArrowSchema withOmitted(Set<Omitted> newOmitted) {
        return new ArrowSchema(endianness, fields, metadata, features, newOmitted);
    }

    // ---- comparing and showing

    /// Compares what it means: apart from what is absent or empty, the order of metadata's keys and
    /// of features, the ids of dictionaries, and other things that say the same in two ways.
    ///
    /// @param other any schema
    /// @return whether both mean the same, so that [#diff] has nothing to tell
    public boolean sameMeaning(ArrowSchema other) {
        return Normal.schema(this).equals(Normal.schema(other));
    }

    /// Lists what makes another schema mean something else.
    ///
    /// @param after the other one
    /// @return changes from this schema to `after`: those of the whole first, then by fields in
    ///     their order here, and behind their siblings those that were added
    public List<SchemaChange> diff(ArrowSchema after) {
        List<SchemaChange> changes = new ArrayList<>();
        new SchemaDiff(changes).schema(this, after);
        return List.copyOf(changes);
    }

    /// {@return the schema as a tree, a line per field, without a line break at its end}
    @Override
    public String toString() {
        return new SchemaText().of(this);
    }
}
