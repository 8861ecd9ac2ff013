// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;

import java.util.List;

/// Rules of the format that several layers check. Ids are stable.
///
/// Source: the comments of `format/*.fbs`.
public final class FormatRules {
    private static final RuleList MEANING = new RuleList(Level.MEANING);
    private static final RuleList FRAME = MEANING.at(Level.FRAME);
    // Not in #all: verifiers do not check these.
    private static final RuleList OTHER = new RuleList(Level.MEANING);

    /// The version of a message, or the version stored in a footer, is neither V4 nor V5. Value:
    /// the stored number, see [dev.fletch.format.MetadataVersion].
    public static final Rule UNSUPPORTED_VERSION =
            MEANING.error("unsupported-version", "metadata version is not supported");

    /// A message has no header. Value: the header's type.
    public static final Rule NO_HEADER = MEANING.error("no-header", "message has no header");

    /// A header's type is not declared in the format. Value: the type.
    public static final Rule UNKNOWN_HEADER =
            MEANING.error("unknown-header", "unknown message header");

    /// A message has the wrong kind for its position. Value: the header's type.
    public static final Rule HEADER_KIND = MEANING.error("header-kind", "unexpected message kind");

    /// A body's length is negative. Value: the length.
    public static final Rule NEGATIVE_BODY_LENGTH =
            FRAME.error("negative-body-length", "body length is negative");

    /// A body's length is not a multiple of 8. Value: the length.
    public static final Rule BODY_UNALIGNED =
            FRAME.deviation("body-unaligned", "body length is not a multiple of 8");

    /// A schema message has a body. Value: the body's length.
    public static final Rule SCHEMA_WITH_BODY =
            MEANING.deviation("schema-with-body", "schema has a body");

    /// A footer has no schema. Value: 0.
    public static final Rule FOOTER_WITHOUT_SCHEMA =
            MEANING.error("footer-without-schema", "footer has no schema");

    /// A schema exceeds the limit of its [SchemaSize]. Value: the size.
    public static final Rule SCHEMA_TOO_LARGE =
            MEANING.error("schema-too-large", "a schema does not share fields or texts too often");

    /// The byte order is neither little nor big. Value: the number.
    public static final Rule UNKNOWN_ENDIANNESS =
            MEANING.error("unknown-endianness", "endianness is unknown");

    /// The bodies are big-endian, which a reader does not accept, or whose values it cannot read.
    /// Value: the number.
    public static final Rule FOREIGN_ENDIANNESS =
            OTHER.error("foreign-endianness", "bodies are big-endian");

    /// A field's type is not declared in the format. Value: the type.
    public static final Rule UNKNOWN_TYPE = MEANING.error("unknown-type", "type is unknown");

    /// A dictionary batch has no data. Value: the dictionary's id.
    public static final Rule NO_DICTIONARY_DATA =
            MEANING.error("no-dictionary-data", "dictionary batch has no data");

    /// A record batch has a negative number of rows. Value: the number.
    public static final Rule NEGATIVE_ROWS =
            MEANING.error("negative-rows", "record batch has a negative number of rows");

    // ---- batches

    /// A batch has fewer field nodes than its schema needs, or more, if the check is exact. Value:
    /// their number.
    public static final Rule NODE_COUNT =
            MEANING.error("node-count", "batch does not have the layout's field nodes");

    /// A batch has fewer buffers than its schema needs, or more, if the check is exact. Value:
    /// their number.
    public static final Rule BUFFER_COUNT =
            MEANING.error("buffer-count", "batch does not have the layout's buffers");

    /// A batch has fewer variadic buffer counts than its schema has fields of view types, or more,
    /// if the check is exact. Value: their number.
    public static final Rule VARIADIC_COUNTS =
            MEANING.error(
                    "variadic-counts", "batch does not have the layout's variadic buffer counts");

    /// A variadic buffer count is negative, or above the number of buffers. Value: the count.
    public static final Rule VARIADIC_COUNT_RANGE =
            MEANING.error("variadic-count-range", "variadic buffer count is out of range");

    /// A node's length is negative. Value: the length.
    public static final Rule NEGATIVE_LENGTH =
            MEANING.error("negative-length", "column has a negative length");

    /// A node's null count is negative, or above its length. Value: the null count.
    public static final Rule NULL_COUNT_RANGE =
            MEANING.error(
                    "null-count-range", "a field has at least 0 nulls and no more than values");

    /// The length of a column's node is not the number of rows. Value: the length.
    public static final Rule COLUMN_LENGTH =
            MEANING.error("column-length", "a column has as many values as the batch has rows");

    /// A buffer's offset is negative. Value: the offset.
    public static final Rule NEGATIVE_BUFFER_OFFSET =
            MEANING.error("negative-buffer-offset", "a buffer's offset is at least 0");

    /// A buffer's length is negative. Value: the length.
    public static final Rule NEGATIVE_BUFFER_LENGTH =
            MEANING.error("negative-buffer-length", "a buffer's length is at least 0");

    /// The end of a buffer, offset plus length, is 2^63 or more. Value: its length.
    public static final Rule BUFFER_OVERFLOW =
            MEANING.error("buffer-overflow", "a buffer's end is below 2^63");

    /// A buffer is not inside the body. Value: its end, offset plus length.
    public static final Rule BUFFER_OUT_OF_BODY =
            MEANING.error("buffer-out-of-body", "buffer out of body");

    /// A buffer's offset is not a multiple of 8. Value: the offset.
    public static final Rule BUFFER_UNALIGNED =
            MEANING.deviation("buffer-unaligned", "a buffer's offset is a multiple of 8");

    /// A compressed buffer has 1 to 7 bytes, too few for the prefix. Value: its length.
    public static final Rule COMPRESSED_TOO_SHORT =
            MEANING.error("compressed-too-short", "a compressed buffer has no bytes or at least 8");

    /// Custom metadata of a V4 message names an unknown codec: see [BatchCodec]. Value: the length
    /// of the name.
    public static final Rule UNKNOWN_CODEC_NAME =
            MEANING.error(
                    "unknown-codec-name", "the codec that custom metadata names is lz4 or zstd");

    /// The prefix of a compressed buffer, its uncompressed length, is below -1, or more than its
    /// codec can store in the buffer's bytes. Value: the prefix.
    public static final Rule UNCOMPRESSED_LENGTH =
            MEANING.error(
                    "uncompressed-length",
                    "an uncompressed length is at least -1, and fits the compressed bytes");

    // ---- dictionaries

    /// A dictionary batch has an id that no field of the schema refers to. Value: the id.
    public static final Rule UNUSED_DICTIONARY =
            MEANING.error("unused-dictionary", "no field is encoded by the dictionary");

    /// A delta dictionary batch precedes its dictionary. Value: the id.
    public static final Rule DELTA_WITHOUT_DICTIONARY =
            MEANING.error("delta-without-dictionary", "delta precedes its dictionary");

    /// A file has two dictionary batches for one id that are not deltas. Value: the id.
    public static final Rule DICTIONARY_REPLACED =
            MEANING.error("dictionary-replaced", "dictionary is defined twice in a file");

    /// A field's values are indices into a dictionary that is not defined. Value: the id.
    public static final Rule DICTIONARY_UNDEFINED =
            MEANING.error("dictionary-undefined", "dictionary is not defined");

    /// The schema has no column with the name. Not in [#all()]: verifiers do not check it.
    public static final Rule NO_COLUMN = OTHER.error("no-column", "no such column");

    // ---- sizes of buffers: not in #all, as only checks of batches and readers of values need them

    /// A validity buffer has too few bits for its values, if any is null. Value: its length.
    public static final Rule VALIDITY_SIZE =
            OTHER.error(
                    "validity-size", "a validity buffer has a bit for each value, if any is null");

    /// An offsets buffer is too small for its values. Value: its length.
    public static final Rule OFFSETS_SIZE =
            OTHER.error("offsets-size", "an offsets buffer has the offsets of all values");

    /// A sizes buffer is too small for its values. Value: its length.
    public static final Rule SIZES_SIZE =
            OTHER.error("sizes-size", "a sizes buffer has a size for each value");

    /// A type id buffer is too small for its values. Value: its length.
    public static final Rule TYPE_IDS_SIZE =
            OTHER.error("type-ids-size", "a type id buffer has a byte for each value");

    /// A views buffer is too small for its values. Value: its length.
    public static final Rule VIEWS_SIZE =
            OTHER.error("views-size", "a views buffer has 16 bytes for each value");

    /// A data buffer of fixed width is too small for its values. Value: its length.
    public static final Rule DATA_SIZE =
            OTHER.error("data-size", "a data buffer of fixed width has the bits of all values");

    // ---- others

    /// A message cannot be rewritten. Not in [#all()]: verifiers do not check it.
    public static final Rule NOT_WRITABLE =
            OTHER.error("not-writable", "message cannot be rewritten");

    private FormatRules() {}

    /// {@return all rules that verifiers check, in declaration order}
    public static List<Rule> all() {
        return MEANING.all();
    }
}
