// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.Goldens;

import java.util.List;
import java.util.function.Consumer;

/// The seeds and the mutated flatbuffers of this package, for tests of what reads damaged bytes.
public final class Mutants {
    /// A well-formed flatbuffer, and what its words are for.
    ///
    /// @param words found by the declarations alone
    public record Sound(String name, Root root, byte[] bytes, List<Spot> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// A word of a flatbuffer.
    ///
    /// @param at its position
    /// @param kind its kind, such as `VTABLE_OFFSET`
    public record Spot(int at, String kind) {}

    private Mutants() {}

    /// Returns what is mutated, golden files included where they are present.
    public static List<Sound> seeds() {
        return Seeds.all(Goldens.present()).stream().map(Mutants::sound).toList();
    }

    private static Sound sound(Seed seed) {
        return new Sound(
                seed.name(),
                seed.root(),
                seed.bytes(),
                seed.words().stream()
                        .map(word -> new Spot(word.at(), word.kind().name()))
                        .toList());
    }

    /// Makes cases, the same ones for the same numbers.
    public static void forEach(long runSeed, long count, Consumer<VerifyCase> consumer) {
        Mutator mutator = new Mutator(Seeds.all(Goldens.present()), runSeed);
        for (long number = 0; number < count; number++) {
            consumer.accept(mutator.make(number));
        }
    }
}
