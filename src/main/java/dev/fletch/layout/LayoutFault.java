// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// What can be wrong when a schema is laid out, a batch is held against a layout, or an index is
/// used: one name per fault, carried by [LayoutException].
public enum LayoutFault {
    /// A schema is of a metadata version other than 4 and 5, whose layout nobody defines.
    UNSUPPORTED_VERSION("metadata version has no layout here"),
    /// Fields are nested more deeply than the limit allows.
    TOO_DEEP("fields are nested too deeply"),
    /// There are more fields than the limit allows, or than bytes can hold that share no tables.
    TOO_MANY_FIELDS("too many fields"),
    /// Names overlap: all different ones together are longer than the bytes that they are in.
    TOO_LONG_NAMES("names are longer than the schema"),
    /// A type is unknown or missing, so that nobody can tell where buffers behind it are.
    UNKNOWN_TYPE("type is unknown"),

    /// The batch has fewer field nodes than the layout needs, or for an index, another number.
    NODE_COUNT("batch does not have the layout's field nodes"),
    /// The batch has fewer buffers than the layout needs, or for an index, another number.
    BUFFER_COUNT("batch does not have the layout's buffers"),
    /// The batch has fewer counts of variadic buffers than the layout has fields of view types.
    VARIADIC_COUNT("batch does not have the layout's variadic buffer counts"),
    /// A count of variadic buffers is negative, or above the number of buffers.
    VARIADIC_COUNT_RANGE("variadic buffer count is out of range"),
    /// A buffer is not inside the body.
    BUFFER_OUT_OF_BODY("buffer out of body"),
    /// A compressed buffer is too short for its prefix, or its prefix says something impossible.
    COMPRESSED_PREFIX("compressed buffer has no valid uncompressed length"),

    /// The memory for an index is too small.
    INDEX_MEMORY("memory is too small for the index"),
    /// Bytes are no index, or one of another version of its form.
    NO_INDEX("bytes are no column index"),
    /// An index is of another schema, or of another metadata version.
    STALE_INDEX("index is of another schema"),
    /// An index says something that cannot be.
    DAMAGED_INDEX("index is damaged");

    private final String text;

    LayoutFault(String text) {
        this.text = text;
    }

    /// {@return what is wrong, in a few words}
    public String text() {
        return text;
    }
}
