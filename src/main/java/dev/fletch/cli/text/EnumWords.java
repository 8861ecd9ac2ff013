// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The words that an option takes: an enum's constants as they are spelled on the command line. Capitals
/// are taken as well, and a wrong word is told with those that are right.
///
/// @param type the enum
public record EnumWords<E extends Enum<E>>(Class<E> type) implements ITypeConverter<E> {
    /// Sets this up for each option of all commands that takes an enum's constants.
    public static CommandLine in(CommandLine command) {
        for (OptionSpec each : command.getCommandSpec().options()) {
            if (each.type().isEnum()) {
                register(command, each.type().asSubclass(Enum.class));
            }
        }
        command.getSubcommands().values().forEach(EnumWords::in);
        return command;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void register(CommandLine command, Class<? extends Enum> type) {
        command.registerConverter((Class) type, new EnumWords(type));
    }

    @Override
    public E convert(String word) {
        for (E each : type.getEnumConstants()) {
            if (spelled(each).equalsIgnoreCase(word)) {
                return each;
            }
        }
        String all =
                Arrays.stream(type.getEnumConstants())
                        .map(EnumWords::spelled)
                        .collect(Collectors.joining(", "));
        throw new TypeConversionException("expected one of " + all + " but was '" + word + "'");
    }

    /// A constant as it is spelled on the command line.
    public static String spelled(Enum<?> constant) {
        return constant.toString().toLowerCase(Locale.ROOT);
    }
}
