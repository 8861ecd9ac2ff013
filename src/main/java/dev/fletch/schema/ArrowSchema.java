// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.FaultPlace;
import dev.fletch.format.internal.SchemaCheck;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.internal.ParquetSchema;
import dev.fletch.schema.internal.SchemaText;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// The columns of a stream or file, as values.
///
/// `equals` is exact; [#semanticallyEquals] and [#diff] ignore differences without meaning.
///
/// The `of` methods that read a [Schema] copy it; the result does not depend on the bytes. They
/// throw an [InvalidSchemaException] if the schema breaks a rule of the Arrow format or a limit,
/// and a [FletchException] or an [IndexOutOfBoundsException] if it shares its parts too often, or
/// the bytes are malformed. Deviations that other readers accept are read; text that is not UTF-8
/// only by [#escaping].
///
/// Methods that write throw an [InvalidSchemaException] if the schema breaks a rule that is not
/// among the `allowed` ones; the exception names it. They throw a
/// [dev.fletch.flatbuf.write.TargetTooSmallException] if the target is too small, or if the result
/// exceeds 2 GiB.
///
/// Source: `format/Schema.fbs`, table `Schema`.
///
/// @param endianness byte order of the values in message bodies
/// @param fields the columns, in their order
/// @param metadata the custom metadata
/// @param features that a reader must support, see [dev.fletch.format.ids.Feature]; may be unknown
/// @param absent the absent slots among [Schema#FIELDS_SLOT], [Schema#CUSTOM_METADATA_SLOT] and
///     [Schema#FEATURES_SLOT], rather than an empty vector; slots that are not empty are removed
///     from the set
public record ArrowSchema(
        ByteOrder endianness,
        List<ArrowField> fields,
        Metadata metadata,
        List<Long> features,
        Set<Integer> absent) {
    /// The key of a schema in the metadata of a Parquet file: see [#ofParquet].
    public static final String PARQUET_KEY = ParquetSchema.KEY;

    private static final Limits ANY_SIZE =
            Limits.DEFAULT
                    .withDepth(ArrowField.MAX_DEPTH)
                    .withFields(Integer.MAX_VALUE)
                    .withMetadataBytes(Integer.MAX_VALUE)
                    .withUnfoldedBytes(Long.MAX_VALUE);

    /// Checks for writing: all rules of schemas, in schemas of any size.
    private static final Checks WRITTEN = Checks.DEFAULT.withLimits(ANY_SIZE);

    /// Checks and copies the components.
    public ArrowSchema {
        Objects.requireNonNull(endianness, "endianness");
        Objects.requireNonNull(metadata, "metadata");
        fields = List.copyOf(fields);
        features = List.copyOf(features);
        absent =
                AbsentSlots.retain(
                        absent,
                        AbsentSlots.when(fields.isEmpty(), Schema.FIELDS_SLOT)
                                | AbsentSlots.when(
                                        metadata.entries().isEmpty(), Schema.CUSTOM_METADATA_SLOT)
                                | AbsentSlots.when(features.isEmpty(), Schema.FEATURES_SLOT));
    }

    /// Creates a little-endian schema without metadata and features, whose vectors are absent.
    public static ArrowSchema of(ArrowField... fields) {
        return of(List.of(fields));
    }

    /// Creates a little-endian schema without metadata and features, whose vectors are absent.
    public static ArrowSchema of(List<ArrowField> fields) {
        Set<Integer> absent = Set.of(Schema.CUSTOM_METADATA_SLOT, Schema.FEATURES_SLOT);
        return new ArrowSchema(ByteOrder.LITTLE_ENDIAN, fields, Metadata.EMPTY, List.of(), absent);
    }

    // ---- from and to bytes

    /// Reads a schema within [Limits#DEFAULT].
    public static ArrowSchema of(Schema schema) {
        return of(schema, Limits.DEFAULT);
    }

    /// Reads a schema.
    public static ArrowSchema of(Schema schema, Limits limits) {
        return read(schema, limits, false);
    }

    /// Reads a schema to show or compare it: each byte of its text that is not UTF-8 is read as an
    /// escape, such as `\xff`. If the result is written, the escapes are text.
    public static ArrowSchema escaping(Schema schema, Limits limits) {
        return read(schema, limits, true);
    }

    private static ArrowSchema read(Schema schema, Limits limits, boolean escapes) {
        try {
            Limits ofValues = limits.withDepth(Math.min(limits.depth(), ArrowField.MAX_DEPTH));
            FaultSink errors = FaultSink.throwing(fault -> refused(fault, schema, limits));
            new SchemaCheck(new FaultPlace(errors), Checks.DEFAULT.withLimits(ofValues))
                    .fields(schema);
            return new SchemaReader(escapes).schema(schema);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private static FletchException refused(Fault error, Schema schema, Limits limits) {
        return error.rule() == MeaningRule.SCHEMA_TOO_LARGE
                ? SchemaSize.tooLarge(
                        error.value(),
                        limits.unfoldedBytes(schema.bufferLength()),
                        error.position())
                : InvalidSchemaException.of(error, schema);
    }

    /// Returns the value attached to a recognized schema; otherwise reads the schema and attaches
    /// it.
    ///
    /// @param known the recognized schema; may be null
    /// @return the same object for the same schema and limits
    public static ArrowSchema of(KnownSchema known, Schema schema, Limits limits) {
        if (known == null) {
            return of(schema, limits);
        }
        ArrowSchema kept = known.attached(ArrowSchema.class, 0, limits);
        if (kept != null) {
            return kept;
        }
        ArrowSchema read;
        try {
            read = of(known.schema(new Schema()), limits);
        } catch (FletchException e) {
            return of(schema, limits); // this fault has the offset in the caller's memory
        }
        return known.attach(ArrowSchema.class, 0, limits, read);
    }

    /// [#ofParquet(CharSequence, ReadOptions)] with [ReadOptions#DEFAULT].
    ///
    /// ```java
    /// ArrowSchema schema = ArrowSchema.ofParquet(keyValueMetadata.get(ArrowSchema.PARQUET_KEY));
    /// ```
    public static ArrowSchema ofParquet(CharSequence value) {
        return ofParquet(value, ReadOptions.DEFAULT);
    }

    /// Reads the schema of a Parquet file, which is a schema message in base64: as all writers
    /// encode it, and as tools print it, with the key, quotes, escapes or line breaks.
    ///
    /// @param value the text under [#PARQUET_KEY]; not null: a file without the key has no Arrow
    ///     schema
    /// @throws FletchException if a character is not base64 (its offset is the character's index),
    ///     or if the message is truncated, does not verify, is not a schema, or is followed by
    ///     anything but an end-of-stream marker (its offset counts in the decoded bytes)
    public static ArrowSchema ofParquet(CharSequence value, ReadOptions options) {
        return of(ParquetSchema.decode(value, options), options.limits());
    }

    /// {@return the text for the key [#PARQUET_KEY] of a Parquet file, as Arrow C++ writes it}
    public String toParquet(Rule... allowed) {
        MemorySegment message = toMessage(EmissionOrder.ARROW_CPP, allowed);
        return ParquetSchema.encode(new Message().wrap(message));
    }

    /// Writes the schema to new heap memory. To write it with the bytes of a producer, pass the
    /// result to a [MetadataWriter], or use [#write].
    ///
    /// @param allowed the rules that the schema may break, such as
    ///     [MeaningRule#RUN_ENDS_NULLABLE]. With all rules of [MeaningRule], nothing is checked
    /// @return a flyweight bound to the new memory
    public Schema toTable(Rule... allowed) {
        Set<Rule> permitted = Set.copyOf(List.of(allowed));
        Schema written = SchemaTables.of(this);
        if (permitted.containsAll(List.of(MeaningRule.values()))) {
            return written;
        }
        FaultPlace faults =
                new FaultPlace(
                        fault -> {
                            if (!permitted.contains(fault.rule())) {
                                throw new InvalidSchemaException(fault);
                            }
                        });
        new SchemaCheck(faults, WRITTEN).check(written);
        return written;
    }

    /// Writes the schema as the root of a buffer, with the bytes of a producer. Absent slots stay
    /// absent, so a schema read from that producer is reproduced.
    ///
    /// @param order the producer
    /// @param into such as from [EmissionOrder#newWriter], wrapped or reset; finished on return
    /// @throws IllegalArgumentException if `into` aligns empty vectors in another way
    public void write(EmissionOrder order, FlatBufferWriter into, Rule... allowed) {
        writer(order, into).schema(toTable(allowed));
    }

    /// [#write] for the first message of a stream, metadata version V5.
    void writeMessage(EmissionOrder order, FlatBufferWriter into, Rule... allowed) {
        writer(order, into).schemaMessage(toTable(allowed), MetadataVersion.V5, new MetadataEdit());
    }

    /// {@return the first message of a stream or file, in new heap memory}
    ///
    /// @param order the producer whose bytes to write
    public MemorySegment toMessage(EmissionOrder order, Rule... allowed) {
        FlatBufferWriter writer = order.newWriter();
        writeMessage(order, writer, allowed);
        return writer.segment();
    }

    /// Needs no limits, as the tables come from existing values.
    private static MetadataWriter writer(EmissionOrder order, FlatBufferWriter into) {
        return new MetadataWriter(order, into).limits(ANY_SIZE);
    }

    // ---- changing

    /// {@return a copy with another byte order}
    public ArrowSchema withEndianness(ByteOrder newEndianness) {
        return new ArrowSchema(newEndianness, fields, metadata, features, absent);
    }

    /// {@return a copy with other columns}
    public ArrowSchema withFields(List<ArrowField> newFields) {
        return new ArrowSchema(endianness, newFields, metadata, features, absent);
    }

    /// {@return a copy with the given custom metadata, which replaces all existing metadata; if
    /// this removes all, the vector is absent}
    public ArrowSchema withMetadata(Metadata newMetadata) {
        Set<Integer> slots =
                metadata.entries().isEmpty()
                        ? absent
                        : AbsentSlots.with(absent, Schema.CUSTOM_METADATA_SLOT);
        return new ArrowSchema(endianness, fields, newMetadata, features, slots);
    }

    /// {@return a copy with the given features, which replace all existing ones; an empty vector
    /// becomes absent}
    ///
    /// @param newFeatures numbers of [dev.fletch.format.ids.Feature]
    public ArrowSchema withFeatures(List<Long> newFeatures) {
        Set<Integer> slots = AbsentSlots.with(absent, Schema.FEATURES_SLOT);
        return new ArrowSchema(endianness, fields, metadata, newFeatures, slots);
    }

    /// {@return a copy with other absent slots}
    public ArrowSchema withAbsent(Set<Integer> newAbsent) {
        return new ArrowSchema(endianness, fields, metadata, features, newAbsent);
    }

    // ---- comparing and text

    /// Returns whether [#diff] finds no change. Ignores absent versus empty slots, the order of
    /// metadata keys and of features, ids of dictionaries, implied values such as union type ids,
    /// and names of children that are identified by position, such as list items.
    public boolean semanticallyEquals(ArrowSchema other) {
        return diff(other).isEmpty();
    }

    /// Lists the semantic differences of this schema to a later one: first those of the schema
    /// itself, then those of its fields in the order of this schema, with added fields after their
    /// siblings.
    public List<SchemaChange> diff(ArrowSchema after) {
        return equals(after) ? List.of() : new SchemaDiff().schemas(this, after);
    }

    /// {@return a digest that is equal for two schemas if and only if [#diff] finds no changes: 64
    /// hexadecimal digits. It is stable across processes with the same version of Fletch}
    ///
    /// @param includesMetadata whether to include the custom metadata of the schema and its fields
    public String digest(boolean includesMetadata) {
        return SchemaDigest.of(this, includesMetadata);
    }

    /// {@return the schema as a tree, a line per field, without a final line break}
    @Override
    public String toString() {
        StringWriter text = new StringWriter();
        SchemaText.write(SchemaTables.of(this), null, new PrintWriter(text));
        return text.toString().lines().collect(Collectors.joining("\n"));
    }
}
