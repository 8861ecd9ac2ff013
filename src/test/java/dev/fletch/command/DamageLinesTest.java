// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What each command says first of a damaged file or stream: the damaged message, once, and what is
/// left.
class DamageLinesTest {
    private static final List<String> COMMANDS =
            List.of("ls", "count", "schema", "columns", "map", "verify", "convert", "annotate");
    private static final Pattern OFFSET = Pattern.compile("offset[ =]([0-9]+)");

    private static final Pattern FAULTS = Pattern.compile("fault: |^[0-9]+ faults?;");

    /// What the first line must do.
    private enum Fails {
        /// There is no line on damage.
        SILENT,
        /// It names another place.
        OTHER_PLACE,
        /// Another line names the message again.
        TWICE,
        /// No line says what is left.
        NOT_WHAT_IS_LEFT
    }

    /// Damage of the second batch.
    private enum Damage {
        ZERO_PREFIX,
        ZERO_METADATA,
        ZERO_HEADER,
        ZERO_PAGE_FROM_BODY_BEFORE,
        ZERO_BUFFERS,
        ONES_IN_METADATA,
        LENGTH_OF_METADATA,
        LENGTH_OF_BODY,
        CUT_OFF;

        private byte[] of(byte[] sound) {
            OracleMessage batch = OracleListing.list(sound).recordBatches().get(1);
            int at = (int) batch.offset();
            int metadata = (int) batch.metadataOffset();
            int end = metadata + batch.metadataLength();
            byte[] bytes = sound.clone();
            switch (this) {
                case ZERO_PREFIX -> Arrays.fill(bytes, at, metadata, (byte) 0);
                case ZERO_METADATA -> Arrays.fill(bytes, metadata, end, (byte) 0);
                case ZERO_HEADER -> Arrays.fill(bytes, at, end, (byte) 0);
                case ZERO_PAGE_FROM_BODY_BEFORE -> Arrays.fill(bytes, at - 64, end, (byte) 0);
                case ZERO_BUFFERS -> Arrays.fill(bytes, end - 400, end - 200, (byte) 0);
                case ONES_IN_METADATA -> Arrays.fill(bytes, metadata, metadata + 64, (byte) -1);
                case LENGTH_OF_METADATA -> bytes[metadata - 4] ^= 0x40;
                case LENGTH_OF_BODY -> bytes[metadata + bodyLengthAt(sound, batch)] ^= 0x10;
                case CUT_OFF -> bytes = Arrays.copyOf(bytes, end + 1000);
            }
            return bytes;
        }

        private static int bodyLengthAt(byte[] bytes, OracleMessage batch) {
            for (int i = 0; i < batch.metadataLength(); i += 8) {
                int at = (int) batch.metadataOffset() + i;
                long value = 0;
                for (int b = 7; b >= 0; b--) {
                    value = value << 8 | bytes[at + b] & 0xFF;
                }
                if (value == batch.bodyLength()) {
                    return i;
                }
            }
            throw new AssertionError("no body length");
        }
    }

    /// Rows that do not hold yet, with the reason.
    private static final Map<String, String> OPEN = new TreeMap<>();

    static {
        for (String form : List.of("file", "stream")) {
            open(
                    "the lengths of buffers are checked only where messages are verified",
                    form,
                    Damage.ZERO_BUFFERS,
                    "ls",
                    "count",
                    "schema",
                    "columns",
                    "map");
        }
        for (Damage each : Damage.values()) {
            if (each != Damage.CUT_OFF) {
                open("only the footer is read", "file", each, "schema");
            }
        }
    }

    private static void open(String reason, String form, Damage damage, String... commands) {
        for (String each : commands) {
            OPEN.put(form + " " + damage + " " + each, reason);
        }
    }

    @TempDir Path folder;

    @Test
    void firstLineNamesTheDamagedMessage() throws IOException {
        Map<String, String> failing = new TreeMap<>();
        int rows = 0;
        for (String form : List.of("file", "stream")) {
            byte[] sound = form.equals("file") ? TradesSample.file() : TradesSample.stream();
            OracleMessage batch = OracleListing.list(sound).recordBatches().get(1);
            long end = batch.metadataOffset() + batch.metadataLength() + batch.bodyLength();
            for (Damage each : Damage.values()) {
                Path input = Files.write(folder.resolve("in"), each.of(sound));
                for (String command : COMMANDS) {
                    List<String> lines = lines(command, input);
                    String fails = fails(command, lines, batch.offset(), end);
                    rows++;
                    if (!fails.isEmpty()) {
                        failing.put(form + " " + each + " " + command, fails + " " + lines);
                    }
                    assertFalse(String.join("", lines).contains("END_OF_STREAM"), lines::toString);
                }
            }
        }
        CaseCount.report("%d first lines, open: %d", rows, failing.size());
        Map<String, Integer> reasons = new TreeMap<>();
        OPEN.values().forEach(each -> reasons.merge(each, 1, Integer::sum));
        reasons.forEach((reason, count) -> CaseCount.report("open: %s: %d", reason, count));
        Map<String, String> unexpected = new TreeMap<>(failing);
        unexpected.keySet().removeAll(OPEN.keySet());
        assertEquals(Map.of(), unexpected);
        Set<String> holding = new TreeSet<>(OPEN.keySet());
        holding.removeAll(failing.keySet());
        assertEquals(Set.of(), holding, "rows hold that are listed as open");
    }

    /// The lines on damage, and behind them those on what is left.
    private List<String> lines(String command, Path input) throws IOException {
        List<String> args = new ArrayList<>(List.of(command));
        if (command.equals("convert")) {
            args.addAll(List.of("--salvage", "--force"));
        }
        args.add(input.toString());
        if (command.equals("convert")) {
            args.add(folder.resolve("out").toString());
        }
        Run run = Cli.run(args.toArray(String[]::new));
        String text =
                switch (command) {
                    case "verify" -> run.out();
                    case "annotate" ->
                            run.out()
                                    .lines()
                                    .filter(each -> FAULTS.matcher(each).find())
                                    .reduce("", (a, b) -> a + b + "\n");
                    default -> run.err();
                };
        return text.lines().map(each -> each.replace(folder.toString(), "")).toList();
    }

    private static String fails(String command, List<String> lines, long from, long end) {
        if (lines.isEmpty() || OFFSET.matcher(lines.getFirst()).results().findAny().isEmpty()) {
            return Fails.SILENT.name();
        }
        if (!isInside(lines.getFirst(), from, end)) {
            return Fails.OTHER_PLACE.name();
        }
        long count =
                lines.stream()
                        .filter(each -> isInside(each, from, end))
                        .filter(each -> !each.contains("file does not end with ARROW1"))
                        .count();
        boolean isReport = command.equals("verify") || command.equals("annotate");
        if (count > 1 && !isReport) {
            return Fails.TWICE.name();
        }
        boolean isLeft =
                lines.stream()
                        .anyMatch(each -> each.contains(" complete") || each.contains("batches="));
        return isLeft ? "" : Fails.NOT_WHAT_IS_LEFT.name();
    }

    private static boolean isInside(String line, long from, long end) {
        Matcher offset = OFFSET.matcher(line);
        return offset.find()
                && Long.parseLong(offset.group(1)) >= from - 64
                && Long.parseLong(offset.group(1)) < end;
    }
}
