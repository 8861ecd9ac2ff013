// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// A part that the bytes leave out, where they could as well hold it empty.
///
/// Both mean the same, and producers differ in what they write; whoever is to write the same bytes
/// again has to know. What is empty and not named as omitted is stored as an empty string or
/// vector.
public enum Omitted {
    /// The name of a field.
    NAME,

    /// The children of a field. Arrow C++ refuses a field without that vector.
    CHILDREN,

    /// The fields of a schema. Arrow C++ refuses a schema without that vector.
    FIELDS,

    /// The custom metadata of a field or a schema.
    METADATA,

    /// The features of a schema.
    FEATURES
}
