// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;

/// The integration files that the Arrow project keeps beside its golden files and streams.
class GoldenJsonTest {
    /// Its stream has the usual names in its bytes, which mean nothing in a map.
    private static final String OTHER_NAMES = "generated_map_non_canonical";

    /// Written by arrow-java, whose keys have another order.
    private static final Set<String> OF_OTHERS =
            Set.of(
                    "2.0.0-compression/generated_lz4.json.gz",
                    "2.0.0-compression/generated_uncompressible_lz4.json.gz",
                    "2.0.0-compression/generated_uncompressible_zstd.json.gz",
                    "2.0.0-compression/generated_zstd.json.gz");

    /// JSON file and schema by JSON file, in order.
    private static Map<Path, ArrowSchema> all() {
        Map<Path, ArrowSchema> schemas = new LinkedHashMap<>();
        for (Path golden : Goldens.all()) {
            schemas.computeIfAbsent(jsonOf(golden), GoldenJsonTest::read);
        }
        return schemas;
    }

    private static Path jsonOf(Path golden) {
        String stem = golden.getFileName().toString().replaceAll("\\.(arrow_file|stream)$", "");
        return golden.resolveSibling(stem + ".json.gz");
    }

    private static ArrowSchema read(Path json) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(json))) {
            return SchemaJson.read(in, Limits.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<ArrowSchema> inBytes(Path golden) {
        OracleFile listing = OracleListing.list(Goldens.read(golden));
        ArrowSchema first =
                ModelTables.schema(new Message().wrap(listing.messages().getFirst().metadata()));
        Schema schema = new Schema();
        return listing.footer() != null
                        && new Footer().wrap(listing.footer().bytes()).schema(schema)
                ? List.of(first, ArrowSchema.of(schema))
                : List.of(first);
    }

    @Test
    void jsonOfEveryGoldenHasTheSchemaOfItsFiles() {
        Map<Path, ArrowSchema> json = all();
        int schemas = 0;
        int columns = 0;
        for (Path golden : Goldens.all()) {
            ArrowSchema said = json.get(jsonOf(golden));
            for (ArrowSchema written : inBytes(golden)) {
                assertTrue(
                        said.semanticallyEquals(written),
                        () -> Goldens.title(golden) + ": " + said.diff(written));
                if (!golden.toString().contains(OTHER_NAMES)) {
                    assertEquals(names(said.fields()), names(written.fields()), golden::toString);
                }
                schemas++;
                columns += written.fields().size();
            }
        }
        System.out.printf(
                "Golden JSON: %d files say the same as %d schemas of %d columns%n",
                json.size(), schemas, columns);
        assertEquals(Goldens.all().size(), 2 * json.size());
    }

    /// All names, those that mean nothing too.
    private static List<Object> names(List<ArrowField> fields) {
        return fields.stream()
                .<Object>map(field -> List.of(field.name(), names(field.children())))
                .toList();
    }

    /// The text itself comes out as archery has written it, apart from white space and a width that
    /// old files leave out.
    @Test
    void writtenTextIsThatOfArchery() throws IOException {
        Set<String> others = new TreeSet<>();
        int same = 0;
        for (var each : all().entrySet()) {
            String theirs;
            try (InputStream in = new GZIPInputStream(Files.newInputStream(each.getKey()))) {
                theirs = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            String ours = SchemaJson.text(each.getValue());
            String start = "{\"schema\":" + withoutSpaces(ours) + ",";
            String compact = withoutSpaces(theirs);
            boolean isOld =
                    ours.contains("\"bitWidth\":128") && !compact.contains("bitWidth\":128");
            if (isOld) {
                start = start.replace(",\"bitWidth\":128", "");
            }
            if (compact.startsWith(start)) {
                same++;
            } else {
                others.add(Goldens.title(each.getKey()));
            }
        }
        assertEquals(OF_OTHERS, others);
        System.out.printf("Golden JSON: %d schemas have archery's text%n", same);
    }

    private static String withoutSpaces(String json) {
        return json.replaceAll("\\s", "").replace("\\ud83d\\ude00", "😀");
    }
}
