// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;

/// `--columns`.
public final class ColumnsOption {
    @Option(
            names = "--columns",
            paramLabel = "PATH",
            split = ",",
            description = {
                "Only these columns, in this order: names joined by",
                "dots, such as price,point.x; of equal names, all",
                "columns. prefix* stands for all names that begin so.",
                "!name leaves out this one: of the columns before it",
                "or, as the first, of all; so '!a,b' chooses b twice,",
                "an error. A name may be in quotes, as it is printed:",
                "'\"a,b\"'. Of a link, only these are requested."
            })
    private List<String> paths;

    /// The paths, as in [dev.fletch.input.ChosenPaths]; null without the option.
    ///
    /// @param usage refuses the option without a path
    public List<String> paths(Usage usage) {
        usage.refuse(paths != null && paths.isEmpty(), "--columns needs a name");
        return paths == null ? null : paths.stream().map(ColumnsOption::unquoted).toList();
    }

    private static String unquoted(String path) {
        String not = path.startsWith("!\"") ? "!" : "";
        String text = path.substring(not.length());
        if (!text.startsWith("\"")) {
            return path;
        }
        try (JsonParser json = new JsonFactory().createParser(text)) {
            String name = json.nextTextValue();
            return json.nextToken() == null ? not + name : path; // more than a name
        } catch (IOException _) {
            return path; // no text in quotes
        }
    }
}
