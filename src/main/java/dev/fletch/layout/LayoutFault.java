// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// What can be wrong when a schema is laid out, or a batch is compared with a layout: one name per
/// fault, carried by [LayoutException].
public enum LayoutFault {
    /// The metadata version is neither V4 nor V5: only their layouts are defined.
    UNSUPPORTED_VERSION("metadata version has no layout here"),
    /// Fields are nested more deeply than the limit allows.
    TOO_DEEP("fields are nested too deeply"),
    /// There are more fields than the limit allows, or than the bytes could hold if no tables were
    /// shared.
    TOO_MANY_FIELDS("too many fields"),
    /// Names overlap: the different ones together are longer than the bytes that they are in.
    TOO_LONG_NAMES("names are longer than the schema"),
    /// A type is unknown or missing, so that nobody can tell where the buffers after it are.
    UNKNOWN_TYPE("type is unknown"),

    /// The batch has fewer field nodes than the layout needs.
    NODE_COUNT("batch does not have the layout's field nodes"),
    /// The batch has fewer buffers than the layout needs.
    BUFFER_COUNT("batch does not have the layout's buffers"),
    /// The batch has fewer variadic buffer counts than the layout has fields of view types.
    VARIADIC_COUNT("batch does not have the layout's variadic buffer counts"),
    /// A variadic buffer count is negative, or above the number of buffers.
    VARIADIC_COUNT_RANGE("variadic buffer count is out of range"),
    /// A buffer is not inside the body.
    BUFFER_OUT_OF_BODY("buffer out of body"),
    /// A compressed buffer is too short for its prefix, or its prefix says something impossible.
    COMPRESSED_PREFIX("compressed buffer has no valid uncompressed length");

    private final String text;

    LayoutFault(String text) {
        this.text = text;
    }

    /// {@return what is wrong, in a few words}
    public String text() {
        return text;
    }
}
