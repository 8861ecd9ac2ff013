// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.layout.LayoutRules;

import java.nio.file.Path;
import java.util.Set;

/// A part of Fletch that reads inputs.
///
/// @param name of the command or class
/// @param levels that it checks
/// @param containers that it reads
/// @param reading what it does
record CorpusConsumer(String name, Set<Level> levels, Set<Container> containers, Reading reading) {
    /// Number of batches of a consumer that does not count them, and offset of an error without one.
    static final long NONE = -1;

    /// What a consumer says of an input.
    ///
    /// @param code of the first error; null if the input was read completely
    /// @param offset of the error in the input, or [#NONE]
    /// @param batches the whole record batches, or [#NONE]
    record Verdict(String code, long offset, long batches) {
        static Verdict read(long batches) {
            return new Verdict(null, NONE, batches);
        }
    }

    /// Reads an input completely.
    interface Reading {
        /// @throws dev.fletch.FletchException for an error
        Verdict of(Path file) throws Exception;
    }

    /// Whether it reads more than the schema.
    boolean readsAll() {
        return !name.equals("schema");
    }

    boolean reads(CorpusCase input) {
        return containers.contains(input.container());
    }

    boolean checks(Rule rule) {
        return levels.contains(needsValues(rule) ? Level.VALUES : rule.level());
    }

    /// Whether values are read for a rule. A buffer is decompressed only for its values.
    static boolean needsValues(Rule rule) {
        return rule.level() == Level.VALUES || rule == LayoutRules.DECOMPRESSION;
    }

    /// What it says of a file.
    ///
    /// @throws IllegalStateException if it throws anything else than errors of inputs
    Verdict verdict(Path file) {
        try {
            return reading.of(file);
        } catch (FletchException e) {
            // An exception about a complete message has what is wrong inside as its cause.
            FletchException inner = e.getCause() instanceof FletchException cause ? cause : e;
            return new Verdict(inner.rule().id(), e.offset(), NONE);
        } catch (Exception e) {
            throw new IllegalStateException(name + ": " + file, e);
        }
    }
}
