// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Rule;
import dev.fletch.cli.text.NearNames;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.IpcRules;
import dev.fletch.layout.LayoutRules;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.wire.Escaper;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Finds rules by the codes given to options.
public final class RuleCodes {
    private RuleCodes() {}

    /// Finds rules by their codes.
    ///
    /// @param command the command that an exception names
    /// @throws ParameterException if a code is unknown
    public static Set<Rule> rules(Collection<String> codes, CommandLine command) {
        Map<String, Rule> all = new LinkedHashMap<>();
        Stream.of(
                        StructureRules.all(),
                        FormatRules.all(),
                        IpcRules.all(),
                        LayoutRules.all(),
                        SemanticRules.all(),
                        InputRules.all())
                .flatMap(List::stream)
                .forEach(rule -> all.put(rule.id(), rule));
        Set<Rule> found = new LinkedHashSet<>();
        for (String code : codes) {
            if (!all.containsKey(code)) {
                List<String> near = NearNames.among(List.copyOf(all.keySet()), code);
                String hint = near.isEmpty() ? "" : "; did you mean " + near.getFirst() + "?";
                String error = "unknown rule code: " + Escaper.name(code) + hint;
                throw new ParameterException(command, error);
            }
            found.add(all.get(code));
        }
        return found;
    }
}
