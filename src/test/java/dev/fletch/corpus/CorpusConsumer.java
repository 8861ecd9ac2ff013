// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.corpus.CorpusCase.Container;

import java.nio.file.Path;
import java.util.Set;

/// A part of Fletch that reads inputs.
///
/// @param name of the command or class
/// @param levels that it checks
/// @param containers that it reads
/// @param reading what it does
record CorpusConsumer(String name, Set<String> levels, Set<Container> containers, Reading reading) {
    /// Consumers that read a message without a look at the bytes after it.
    private static final Set<String> SEQUENTIAL =
            Set.of(
                    "MessageReader",
                    "MessageDecoder",
                    "VectorReader",
                    "open path",
                    "open memory",
                    "open stream");

    private static final Set<String> READERS_OF_FILES =
            Set.of(
                    "ArrowFile",
                    "RangedFile",
                    "BatchProjector",
                    "ColumnValues",
                    "VectorReader of a file");

    /// Number of batches of a consumer that does not count them, and offset of an error without
    /// one.
    static final long NONE = -1;

    /// What a consumer says of an input.
    ///
    /// @param code of the first error; null if the input was read completely
    /// @param message index of the error's message, or [Fault#NO_MESSAGE]
    /// @param offset of the error in the input, or [#NONE]
    /// @param text of the error, with its details; null for the library, whose texts may have
    ///     others
    /// @param batches the whole record batches, or [#NONE]
    record Verdict(String code, int message, long offset, String text, long batches) {
        static Verdict read(long batches) {
            return new Verdict(null, Fault.NO_MESSAGE, NONE, "", batches);
        }

        /// Whether it says that there is no schema.
        boolean isWithoutSchema() {
            return FileRule.NO_LEADING_SCHEMA.id().equals(code)
                    || FileRule.NO_MESSAGE.id().equals(code);
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

    /// Whether it shows numbers of messages: an invalid schema, or a missing dictionary, is no error
    /// of these.
    boolean showsMessages() {
        return Set.of("ls", "count", "columns", "map").contains(name);
    }

    /// Whether it reads only what leads to values of rows.
    boolean showsRows() {
        return name.equals("head");
    }

    /// Whether it reads as untrusted: then it refuses some deviations.
    boolean isUntrusted() {
        return name.startsWith("open ");
    }

    /// Whether a consumer cannot know that a rule is broken, because only later bytes show it:
    ///
    /// - At an end marker it ends.
    /// - It reads a message that overlaps the next. It expects another inside that one, and what it
    ///   finds depends on these bytes.
    /// - It compares a length with its limit instead of the end of the input.
    boolean cannotKnow(Rule broken, Verdict found) {
        if (!SEQUENTIAL.contains(name)) {
            return false;
        }
        if (broken == FrameRule.END_BETWEEN_MESSAGES) {
            return found.code() == null;
        }
        if (broken == FrameRule.MESSAGE_OVERLAP) {
            return found.code() != null;
        }
        return broken == FrameRule.METADATA_OUT_OF_INPUT
                && FrameRule.METADATA_OVER_LIMIT.id().equals(found.code());
    }

    boolean reads(CorpusCase input) {
        return containers.contains(input.container());
    }

    /// Whether it knows the index of a message. Readers of files open messages by their blocks.
    boolean countsMessages(CorpusCase input) {
        boolean isFile = input.container() == Container.FILE;
        return !READERS_OF_FILES.contains(name) && !(isFile && name.startsWith("open "));
    }

    /// Whether it refuses an input that has no schema.
    boolean needsSchema() {
        return Set.of("schema", "head", "VectorReader").contains(name) || name.startsWith("open ");
    }

    boolean readsValues() {
        return levels.contains("values");
    }

    /// Each reader of dictionaries refuses one of no field, at any level.
    boolean checks(Rule rule) {
        return levels.contains(needsValues(rule) ? "values" : rule.level())
                || rule == MeaningRule.UNUSED_DICTIONARY && name.startsWith("VectorReader");
    }

    /// Whether values are read for a rule. A buffer is decompressed only for its values.
    static boolean needsValues(Rule rule) {
        return rule instanceof ValueRule || rule == MeaningRule.DECOMPRESSION;
    }

    /// What it says of a file.
    ///
    /// @throws IllegalStateException if it throws anything else than errors of inputs
    Verdict verdict(Path file) {
        try {
            return reading.of(file);
        } catch (FletchException e) {
            return new Verdict(e.rule().id(), e.fault().message(), e.offset(), null, NONE);
        } catch (Exception e) {
            throw new IllegalStateException(name + ": " + file, e);
        }
    }
}
