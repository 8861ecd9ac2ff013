// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tables of `docs/verification.md`: the users' list of rules and checks.
public final class RulePage {
    private RulePage() {}

    /// The rows whose first cell is code that matches, by that cell; the last cell of each.
    public static Map<String, String> rows(String code) {
        Map<String, String> rows = new LinkedHashMap<>();
        try {
            for (String line : lines()) {
                String[] cells = line.split("\\|", -1);
                if (cells.length > 3 && cells[1].matches(" `" + code + "` ")) {
                    String last = cells[cells.length - 2].strip().replace("`", "");
                    rows.put(cells[1].strip().replace("`", ""), last);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /// For each rule the check that it belongs to, "" if it is always checked.
    public static Map<String, String> checkByRule() {
        return rows("[a-z0-9]+(-[a-z0-9]+)+");
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Goldens.repositoryRoot().resolve("docs/verification.md"));
    }
}
