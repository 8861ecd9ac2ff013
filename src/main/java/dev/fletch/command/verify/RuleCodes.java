// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import dev.fletch.Rule;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converts the code in an option to its rule.
public final class RuleCodes implements ITypeConverter<Rule> {
    @Override
    public Rule convert(String code) {
        return Rule.all().stream()
                .filter(rule -> rule.id().equals(code))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("unknown rule code: " + code));
    }
}
