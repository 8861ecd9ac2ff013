// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import dev.fletch.Rule;
import dev.fletch.check.ContainerRules;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.IpcRules;
import dev.fletch.layout.LayoutRules;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.values.ValueRules;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.List;
import java.util.stream.Stream;

/// Converts the code in an option to its rule.
public final class RuleCodes implements ITypeConverter<Rule> {
    @Override
    public Rule convert(String code) {
        return all().filter(rule -> rule.id().equals(code))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("unknown rule code: " + code));
    }

    /// All rules that `fletch verify` may report.
    public static Stream<Rule> all() {
        return Stream.of(
                        StructureRules.all(),
                        FormatRules.all(),
                        IpcRules.all(),
                        LayoutRules.all(),
                        SemanticRules.all(),
                        ContainerRules.all(),
                        ValueRules.all())
                .flatMap(List::stream);
    }
}
