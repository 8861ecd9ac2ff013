// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.BatchCodec;
import dev.fletch.format.Block;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/// Changes to a message, a footer or a schema for a [MetadataWriter]. Everything else stays as in
/// the source, and changes that do not apply to the source are ignored, so that one edit serves all
/// messages of a stream.
///
/// An edit can be applied to any number of messages. It belongs to one thread while it is modified.
/// Methods that return an edit return this.
///
/// Source: the tables `Message`, `Footer` and `Schema` of `format/*.fbs`.
public final class MetadataEdit {
    private static final int BLOCK_LONGS = Block.BYTES / Long.BYTES;

    /// A field of a schema to write: see [#choose].
    ///
    /// @param index of the field among the schema's columns, or among its parent's children
    /// @param children the children to write, in this order; null for all, as they are
    record ChosenField(int index, List<ChosenField> children) {
        /// The fields of a range of numbers: see [MetadataEdit#choose].
        private static List<ChosenField> of(int[] indexes, int[] ends, int from, int to) {
            List<ChosenField> fields = new ArrayList<>();
            int end;
            for (int i = from; i < to; i = end) {
                end = ends[i];
                if (indexes[i] < 0 || end <= i || end > to) {
                    throw new IllegalArgumentException(
                            "not a field: number="
                                    + i
                                    + ", index="
                                    + indexes[i]
                                    + ", end="
                                    + end
                                    + ", limit="
                                    + to);
                }
                boolean isWhole = end == i + 1;
                fields.add(
                        new ChosenField(
                                indexes[i], isWhole ? null : of(indexes, ends, i + 1, end)));
            }
            return fields;
        }
    }

    /// A change to one field of a table. An edit has an array of changes per kind of tables, by
    /// slot; null keeps the field of the source.
    sealed interface Change {
        /// Replaces a number.
        final class Number implements Change {
            long value;

            /// Whether it is written even if it is the default.
            final boolean forced;

            Number(long value, boolean forced) {
                this.value = value;
                this.forced = forced;
            }

            Number(long value) {
                this(value, false);
            }
        }

        /// Computes a number from the source's.
        record Renumber(LongUnaryOperator numbers) implements Change {}

        /// Replaces a vector of 64-bit numbers, or of structs of these.
        final class Numbers implements Change {
            long[] numbers;
            int from;

            /// Number of elements; if negative, the vector is omitted.
            int count;

            Numbers set(long[] all, int first, int elements) {
                numbers = all;
                from = first;
                count = elements;
                return this;
            }
        }

        /// Replaces the table that the field refers to. There is a change for each of its numbers,
        /// by slot.
        record Table(Change[] fields) implements Change {}

        /// Replaces the schema that the field refers to.
        record Replace(Schema by) implements Change {}

        /// Replaces key/value pairs; without pairs, the vector is omitted.
        final class Pairs implements Change {
            CustomMetadata by;

            Pairs(CustomMetadata by) {
                this.by = by;
            }
        }

        /// Keeps some fields of a schema, in any order.
        record Choice(List<ChosenField> fields) implements Change {}
    }

    /// Changes nothing.
    static final MetadataEdit NONE = new MetadataEdit();

    /// By number of the kind of tables, and by slot.
    private final Change[][] changes = new Change[ArrowRules.ALL.size()][];

    /// Creates an edit that changes nothing yet.
    public MetadataEdit() {}

    /// Changes the version of a message or a footer.
    ///
    /// @param value one of [MetadataVersion]
    /// @throws IllegalArgumentException if it has more than 16 bits
    public MetadataEdit version(int value) {
        if (value != (short) value) {
            throw new IllegalArgumentException(
                    "version has more than 16 bits: version="
                            + value
                            + ", limit="
                            + Short.MAX_VALUE);
        }
        set(TableOrder.MESSAGE, Message.VERSION_SLOT, new Change.Number(value));
        return set(TableOrder.FOOTER, Footer.VERSION_SLOT, new Change.Number(value));
    }

    /// Changes the body length of a message.
    ///
    /// @param bytes length in bytes
    public MetadataEdit bodyLength(long bytes) {
        return set(TableOrder.MESSAGE, Message.BODY_LENGTH_SLOT, new Change.Number(bytes));
    }

    /// Replaces the custom metadata of a message.
    ///
    /// @param pairs read when a message is written; without pairs, the vector is omitted. Null to
    ///     keep those of the source
    public MetadataEdit customMetadata(CustomMetadata pairs) {
        Change change = pairs == null ? null : new Change.Pairs(pairs);
        return set(TableOrder.MESSAGE, Message.CUSTOM_METADATA_SLOT, change);
    }

    /// Replaces the custom metadata of a footer, as [#customMetadata] does that of a message.
    public MetadataEdit footerMetadata(CustomMetadata pairs) {
        Change change = pairs == null ? null : new Change.Pairs(pairs);
        return set(TableOrder.FOOTER, Footer.CUSTOM_METADATA_SLOT, change);
    }

    /// Names the codec of a batch in its compression, as readers since Arrow 1.0 expect it, and no
    /// longer in the custom metadata of the message, where Arrow 0.17 named it. If the codec is not
    /// named there, both stay as in the source.
    ///
    /// @param message has the batch
    /// @param codec has read that of the batch; not kept
    public MetadataEdit moveCodec(Message message, BatchCodec codec) {
        Change compression = null;
        CustomMetadata others = null;
        if (codec.isNamed()) {
            Change[] fields = new Change[Wire.SLOTS];
            fields[BodyCompression.CODEC_SLOT] = new Change.Number(codec.codec());
            fields[BodyCompression.METHOD_SLOT] = new Change.Number(codec.method());
            compression = new Change.Table(fields);
            others = CustomMetadata.withoutCodec(message);
        }
        set(TableOrder.RECORD_BATCH, RecordBatch.COMPRESSION_SLOT, compression);
        return customMetadata(others);
    }

    /// Omits the key/value pairs of a schema, also of one in a message or footer, and of its
    /// fields.
    public MetadataEdit dropSchemaMetadata() {
        Change none = new Change.Pairs(new CustomMetadata());
        set(TableOrder.SCHEMA, Schema.CUSTOM_METADATA_SLOT, none);
        return set(TableOrder.FIELD, Field.CUSTOM_METADATA_SLOT, none);
    }

    /// Replaces the schema of a footer. The other changes to schemas apply to it, too.
    ///
    /// @param schema bound while the footer is written; null to keep the schema of the source
    public MetadataEdit footerSchema(Schema schema) {
        Change change = schema == null ? null : new Change.Replace(schema);
        return set(TableOrder.FOOTER, Footer.SCHEMA_SLOT, change);
    }

    /// Changes the ids of dictionaries: in dictionary batches, and in the fields of a schema.
    ///
    /// @param idOf maps an old id to a new id; null to keep all
    public MetadataEdit dictionaryIds(LongUnaryOperator idOf) {
        Change renumber = idOf == null ? null : new Change.Renumber(idOf);
        set(TableOrder.DICTIONARY_BATCH, DictionaryBatch.ID_SLOT, renumber);
        return set(TableOrder.DICTIONARY_ENCODING, DictionaryEncoding.ID_SLOT, renumber);
    }

    /// Replaces a footer's blocks of dictionary batches.
    ///
    /// @param numbers three per block: offset, metadata length and body length; not copied
    /// @param from index of the first number
    /// @param blocks number of blocks
    /// @throws IndexOutOfBoundsException if the range is not inside `numbers`
    /// @throws IllegalArgumentException if a metadata length has more than 32 bits
    public MetadataEdit dictionaries(long[] numbers, int from, int blocks) {
        return set(TableOrder.FOOTER, Footer.DICTIONARIES_SLOT, blocks(numbers, from, blocks));
    }

    /// Replaces a footer's blocks of record batches, as [#dictionaries] does the others.
    public MetadataEdit recordBatches(long[] numbers, int from, int blocks) {
        return set(TableOrder.FOOTER, Footer.RECORD_BATCHES_SLOT, blocks(numbers, from, blocks));
    }

    private static Change blocks(long[] numbers, int from, int blocks) {
        Objects.checkFromIndexSize((long) from, (long) blocks * BLOCK_LONGS, (long) numbers.length);
        for (int i = 0; i < blocks; i++) {
            long metaDataLength = numbers[from + i * BLOCK_LONGS + 1];
            if (metaDataLength != (int) metaDataLength) {
                String block = "block=" + i + ", metaDataLength=" + metaDataLength;
                throw new IllegalArgumentException(
                        "metadata length of block exceeds 32 bits: " + block);
            }
        }
        return new Change.Numbers().set(numbers, from, blocks);
    }

    /// Keeps some fields of a schema, also of one in a message or footer, in the given order. The
    /// chosen fields are numbered in pre-order: a parent before those of its children.
    ///
    /// @param indexes of each: its index in the schema for a column, else among its parent's
    ///     children
    /// @param ends of each: the number after it and its chosen descendants; without any, all its
    ///     children stay
    /// @throws IllegalArgumentException if an index is negative, an end outside of the parent, or
    ///     there is not one for each field
    public MetadataEdit choose(int[] indexes, int[] ends) {
        if (ends.length != indexes.length) {
            throw new IllegalArgumentException(
                    "not one end for each field: fields="
                            + indexes.length
                            + ", ends="
                            + ends.length);
        }
        var fields = ChosenField.of(indexes, ends, 0, indexes.length);
        return set(TableOrder.SCHEMA, Schema.FIELDS_SLOT, new Change.Choice(fields));
    }

    /// Sets the change of a field in all tables of a kind.
    MetadataEdit set(int kind, int slot, Change change) {
        if (changes[kind] == null) {
            changes[kind] = new Change[Wire.SLOTS];
        }
        changes[kind][slot] = change;
        return this;
    }

    /// Returns the changes to tables of a kind; null if there are none.
    Change[] of(int kind) {
        return changes[kind];
    }
}
