// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;

import java.util.List;
import java.util.Locale;

/// An input that breaks a rule, and its sound twin at the rule's limit.
///
/// @param rule what it breaks
/// @param name of its file, without folder and suffix; unique in the rule's level
/// @param container of both inputs
/// @param layout of the column or object that is wrong: `utf8`, `list`; empty if there is none
/// @param what says in one sentence what is wrong
/// @param sound the twin, which breaks no rule
/// @param broken the input
/// @param implied the other rules that it then breaks, too
/// @param reader what a reader must or may do with it
public record CorpusCase(
        Rule rule,
        String name,
        Container container,
        String layout,
        String what,
        byte[] sound,
        byte[] broken,
        List<Rule> implied,
        Reader reader) {
    /// The form of an input.
    public enum Container {
        FILE("file", "arrow"),
        STREAM("stream", "arrows"),
        /// One message without its prefix, or a footer.
        FLATBUFFER("flatbuffer", "bin"),
        /// Base64 of one of the others.
        TEXT("base64", "txt"),
        /// What is not Arrow.
        OTHER("other", "other");

        final String id;
        final String suffix;

        Container(String id, String suffix) {
            this.id = id;
            this.suffix = suffix;
        }
    }

    /// What a reader must or may do.
    public enum Reader {
        /// No value can be trusted.
        MUST_REFUSE,
        /// The format forbids it, but the values are clear.
        MAY_READ,
        /// Valid: the values are those of the sound twin.
        READS_SAME;

        String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Reader of(Rule rule) {
            return switch (rule.severity()) {
                case ERROR -> MUST_REFUSE;
                case DEVIATION -> MAY_READ;
                case NOTE -> READS_SAME;
            };
        }
    }

    /// The name in the index and of the file: `values/offsets-descend-utf8.arrow`.
    public String file() {
        return file(name);
    }

    /// The same of the sound twin.
    public String soundFile() {
        return file(name + ".sound");
    }

    private String file(String of) {
        return rule.level() + "/" + of + "." + container.suffix;
    }

    @Override
    public String toString() {
        return file();
    }
}
