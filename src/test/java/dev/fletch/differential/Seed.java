// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.format.Verifier.Root;

import java.util.List;

/// A well-formed flatbuffer to damage.
///
/// @param name says where it is from
/// @param tables as many as a verifier reaches
/// @param depth as deep as they lie
record Seed(
        String name,
        Root root,
        byte[] bytes,
        List<Structure.Word> words,
        int[] objects,
        int[] vtables,
        long tables,
        int depth) {

    static Seed of(String name, Root root, byte[] bytes) {
        Structure structure = Structure.of(root, bytes);
        return new Seed(
                name,
                root,
                bytes,
                List.copyOf(structure.words()),
                structure.objects(),
                structure.vtables(),
                structure.tables(),
                structure.depth());
    }

    @Override
    public String toString() {
        return "%s (%s, %d bytes)".formatted(name, root, bytes.length);
    }
}
