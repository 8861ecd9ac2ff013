// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

/// Byte order of the numbers in message bodies; metadata is little-endian in any case.
///
/// Source: `format/Schema.fbs`, enum `Endianness`.
public enum Endianness {
    /// Least significant byte first.
    LITTLE(dev.fletch.format.Endianness.LITTLE),

    /// Most significant byte first.
    BIG(dev.fletch.format.Endianness.BIG);

    private final int id;

    Endianness(int id) {
        this.id = id;
    }

    /// {@return the number that stands for it in the bytes, see [dev.fletch.format.Endianness]}
    public int id() {
        return id;
    }
}
