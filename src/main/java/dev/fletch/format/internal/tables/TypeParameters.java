// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

/// The parameters of a type by slot, independent of their storage. A slot must be one of the
/// type's, such as [dev.fletch.format.Int#BIT_WIDTH_SLOT].
///
/// Source: `format/Schema.fbs`, the members of the union `Type`.
public interface TypeParameters {
    /// {@return whether a parameter is present}
    boolean isPresent(int slot);

    /// {@return a number, a boolean as 0 or 1, or an enum's value; the default if absent}
    long number(int slot);

    /// {@return a text; null if absent}
    String string(int slot);

    /// {@return number of elements of a vector; 0 if absent}
    int count(int slot);

    /// {@return an element of a vector of numbers}
    ///
    /// @param index from 0 to [#count] - 1
    /// @throws IndexOutOfBoundsException if there is no such element
    long element(int slot, int index);
}
