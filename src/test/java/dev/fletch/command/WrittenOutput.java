// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.vector.types.pojo.Field;

import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// An output of `convert`, against its input. arrow-java reads it; if the input has no errors, it
/// reads the same columns and values in both, and the generated classes find the same custom
/// metadata.
public final class WrittenOutput {
    private static final ReadOptions VALUES = ReadOptions.VERIFY.withLevel(Level.VALUES);

    /// What was compared, and what was not.
    private static final Map<String, Integer> COUNTS = new TreeMap<>();

    private final byte[] input;
    private final Path out;
    private final Object before;
    private final List<String> columns;
    private final boolean salvages;

    private WrittenOutput(byte[] input, Path out, List<String> columns, boolean salvages) {
        this.input = input;
        this.out = out;
        this.columns = columns;
        this.salvages = salvages;
        this.before = key(out);
    }

    /// Before a command is run.
    ///
    /// @param standardInput what it reads of `-`
    static WrittenOutput before(byte[] standardInput, String... words) throws IOException {
        if (words[0].equals("convert")) {
            try {
                ParseResult call =
                        new CommandLine(Main.subcommand("convert"))
                                .parseArgs(Arrays.copyOfRange(words, 1, words.length));
                Path in = Path.of(call.matchedPositionalValue(0, "-"));
                byte[] bytes = Files.isRegularFile(in) ? Files.readAllBytes(in) : standardInput;
                List<String> chosen = call.matchedOptionValue("--columns", List.of());
                Path out = call.matchedPositionalValue(1, null);
                boolean salvages = call.hasMatchedOption("--salvage");
                return new WrittenOutput(bytes, out, chosen, salvages);
            } catch (CommandLine.ParameterException _) {
                // says so itself
            }
        }
        return new WrittenOutput(null, null, List.of(), false);
    }

    /// Identifies a file: an output is written beside the old one, and then moved there.
    private static Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException | NullPointerException _) {
            return null; // there is none
        }
    }

    /// After the command was run.
    void check(Run run) throws IOException {
        if (out != null && key(out) != null && !key(out).equals(before)) {
            byte[] written = Files.readAllBytes(out);
            String form = OracleListing.isFile(written) ? "file" : "stream";
            String other = form.equals("file") ? "stream" : "file";
            String said = run.err() + run.out();
            assertFalse(said.contains(": " + other + " written: "), said);
            assertFalse(said.contains("\"to\":\"" + other + "\""), said);
            check(run.status() == 0 ? input : null, written, columns, salvages);
        }
    }

    /// What all comparisons were.
    static String counts() {
        return COUNTS.toString();
    }

    private static void count(String what) {
        COUNTS.merge(what, 1, Integer::sum);
    }

    /// Compares an output with its input.
    ///
    /// @param input null if parts of it were left out
    /// @param columns that were chosen; none for all
    public static void check(byte[] input, byte[] written, List<String> columns, boolean salvages) {
        OracleFile listed = OracleListing.list(written);
        ArrowVectorReading found = reading(written);
        if (found == null) {
            count("listed");
            return;
        }
        assertEquals(listed.rows(), found.batchRows().stream().mapToLong(each -> each).sum());
        boolean isSound = input != null && isSound(input);
        ArrowVectorReading expected = isSound ? reading(input) : null;
        if (expected == null) {
            count("read");
            return;
        }
        count("compared");
        assertSame(expected, found, columns, salvages);
        try {
            OracleFile source = OracleListing.list(input);
            if (!source.messages().isEmpty() && source.messages().getFirst().isSchema()) {
                assertMetadata(source, listed);
                count("compared in metadata");
            }
        } catch (OracleListing.MalformedException | IndexOutOfBoundsException _) {
            // has another head, or a schema message without prefix
        }
    }

    /// Whether arrow-java can read it: it does not look for a codec in custom metadata.
    private static boolean isSound(byte[] input) {
        boolean[] hasErrors = {false};
        Arrow.verify(
                MemorySegment.ofArray(input),
                VALUES,
                each ->
                        hasErrors[0] |=
                                each.rule().severity() == Severity.ERROR
                                        || each.rule() == MeaningRule.CODEC_IN_METADATA);
        return !hasErrors[0];
    }

    /// What arrow-java reads; null if it does not read a type, or not without its dictionary. It
    /// allocates what the first length of a stream claims: of other inputs, more than a gigabyte.
    private static ArrowVectorReading reading(byte[] bytes) {
        ByteBuffer first = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (!OracleListing.isFile(bytes)
                && bytes.length >= Integer.BYTES
                && first.getInt(0) > bytes.length) {
            return null;
        }
        try {
            return ArrowVectorReading.read(bytes);
        } catch (RuntimeException | OutOfMemoryError | AssertionError _) {
            return null;
        }
    }

    // ---- values

    /// Requires that arrow-java reads the same values.
    ///
    /// @param columns to compare; none for all
    static void assertSame(byte[] expected, byte[] written, List<String> columns) {
        assertSame(
                ArrowVectorReading.read(expected),
                ArrowVectorReading.read(written),
                columns,
                false);
    }

    /// @param salvages whether batches that the footer does not list may follow
    private static void assertSame(
            ArrowVectorReading expected,
            ArrowVectorReading found,
            List<String> columns,
            boolean salvages) {
        int batches = expected.batchRows().size();
        int count =
                salvages ? Math.min(batches, found.batchRows().size()) : found.batchRows().size();
        assertEquals(expected.batchRows(), found.batchRows().subList(0, count));
        assertEquals(expected.schema().getCustomMetadata(), found.schema().getCustomMetadata());
        List<String> names = expected.schema().getFields().stream().map(Field::getName).toList();
        List<Integer> chosen =
                columns.stream()
                        .flatMap(
                                name ->
                                        IntStream.range(0, names.size())
                                                .filter(i -> names.get(i).equals(name))
                                                .boxed())
                        .toList();
        if (columns.isEmpty()) {
            assertEquals(expected.schema(), found.schema());
            assertEquals(expected.values(), found.values().subList(0, count));
        } else if (names.containsAll(columns)) {
            List<Field> fields =
                    chosen.stream().map(each -> expected.schema().getFields().get(each)).toList();
            assertEquals(fields, found.schema().getFields());
            assertEquals(
                    cells(expected.values(), chosen),
                    cells(found.values().subList(0, count), null));
        }
    }

    /// The cells of columns, row by row.
    ///
    /// @param columns null for all
    private static List<List<String>> cells(List<String> batches, List<Integer> columns) {
        return batches.stream()
                .flatMap(String::lines)
                .map(row -> Arrays.asList(row.split("\t", -1)))
                .map(row -> row.subList(0, row.size() - 1)) // a tab is behind each
                .map(row -> columns == null ? row : columns.stream().map(row::get).toList())
                .toList();
    }

    // ---- custom metadata

    /// The footer's metadata are in both, or those of the message if it has none. Those of the
    /// footer alone stay there in a file.
    private static void assertMetadata(OracleFile source, OracleFile written) {
        List<String> message = inMessage(source);
        List<String> footer = source.footer() == null ? message : inFooter(source);
        boolean isFile = written.footer() != null;
        List<String> expected = footer.isEmpty() ? message : footer;
        boolean isApart = isFile && message.isEmpty() && source.footer() != null;
        assertEquals(isApart ? message : expected, inMessage(written));
        if (isFile) {
            assertEquals(expected, inFooter(written));
        }
    }

    private static List<String> inMessage(OracleFile of) {
        Message message = of.messages().getFirst().message();
        return texts(message.customMetadataLength(), message::customMetadata);
    }

    private static List<String> inFooter(OracleFile of) {
        Footer footer = of.footer().footer();
        return texts(footer.customMetadataLength(), footer::customMetadata);
    }

    /// Pairs; an absent key is written as an empty one.
    private static List<String> texts(int count, IntFunction<KeyValue> pair) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeyValue each = pair.apply(i);
            String key = text(each.keyAsByteBuffer());
            texts.add((key == null ? "" : key) + "=" + text(each.valueAsByteBuffer()));
        }
        return texts;
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null ? null : StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }
}
