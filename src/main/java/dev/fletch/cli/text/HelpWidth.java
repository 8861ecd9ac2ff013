// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fits the help to a terminal. picocli does so by itself down to a width; below it, what it has made
/// for the usual one is folded.
public final class HelpWidth {
    /// As wide as help is where there is room.
    public static final int USUAL = 80;

    private static final int LEAST_OF_PICOCLI = 55;
    // Where options without a short name stand; what is further in belongs to a second column.
    private static final int NAMES_AT = 6;
    private static final int TEXT_AT = 8;
    private static final int FURTHER_IN = 4;
    // A shorter line ends where it was meant to.
    private static final int LEAST_BROKEN = 60;
    private static final String USAGE = "Usage:";
    private static final Pattern WORD = Pattern.compile("( *)([^ ]+)");
    private static final Pattern NAMES = Pattern.compile("^( +[^ ]+(?: [^ ]+)*) {2,}(?=[^ ])");
    private static final Pattern COLOR = Pattern.compile("\u001b\\[[\\d;]*m");

    private HelpWidth() {}

    /// @param width how many characters a line may have
    public static void fit(CommandLine command, int width) {
        if (width >= LEAST_OF_PICOCLI) {
            command.setUsageHelpWidth(Math.min(width, USUAL));
            return;
        }
        command.setUsageHelpWidth(USUAL);
        fold(command, width);
    }

    private static void fold(CommandLine command, int width) {
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(command.getHelpSectionMap());
        sections.replaceAll((_, section) -> help -> fold(section.render(help), width));
        // These two make one line, so they are folded as one.
        String heading = UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING;
        String synopsis = UsageMessageSpec.SECTION_KEY_SYNOPSIS;
        IHelpSectionRenderer first = command.getHelpSectionMap().get(heading);
        IHelpSectionRenderer rest = command.getHelpSectionMap().get(synopsis);
        sections.put(heading, _ -> "");
        sections.put(synopsis, help -> fold(first.render(help) + rest.render(help), width));
        command.getCommandSpec().usageMessage().sectionMap(sections);
        command.getSubcommands().values().forEach(each -> fold(each, width));
    }

    /// Puts together what was broken for the usual width, and breaks lines that are too long between
    /// words. What stands in a second column that is too far in goes on a line of its own.
    public static String fold(String text, int width) {
        StringBuilder folded = new StringBuilder(2 * text.length());
        for (String line : joined(text)) {
            fold(line, width, folded);
        }
        return folded.toString();
    }

    /// The lines as they would be if there were room for any.
    private static List<String> joined(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("(?<=\n)")) {
            String before = lines.isEmpty() ? "" : lines.getLast().stripTrailing();
            boolean isInColumn = leading(line) > NAMES_AT;
            boolean isBroken = before.length() > LEAST_BROKEN && leading(before) == 0;
            if (!line.isBlank() && (isInColumn || isBroken && leading(line) == 0)) {
                lines.set(lines.size() - 1, before + " " + line.stripLeading());
            } else {
                lines.add(line);
            }
        }
        return lines;
    }

    private static void fold(String line, int width, StringBuilder to) {
        Matcher names = NAMES.matcher(line);
        String rest = line;
        int leading = leading(line);
        int indent = leading == 0 && !line.startsWith(USAGE) ? 0 : leading + FURTHER_IN;
        int column = 0;
        if (plain(line).stripTrailing().length() > width && names.find()) {
            to.append(names.group(1)).append(System.lineSeparator());
            rest = " ".repeat(TEXT_AT) + line.substring(names.end());
            indent = TEXT_AT;
        }
        Matcher words = WORD.matcher(rest);
        while (words.find()) {
            int gap = words.group(1).length();
            int length = plain(words.group(2)).stripTrailing().length();
            if (column > 0 && column + gap + length > width) {
                to.append(System.lineSeparator());
                column = 0;
                gap = indent;
            }
            to.repeat(' ', gap).append(words.group(2));
            column += gap + length;
        }
    }

    private static int leading(String line) {
        String plain = plain(line);
        return plain.length() - plain.stripLeading().length();
    }

    private static String plain(String colored) {
        return COLOR.matcher(colored).replaceAll("");
    }
}
