// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class GoldensTest {
    @Test
    void rootHoldsTheBuild() {
        assertTrue(Files.isRegularFile(Goldens.repositoryRoot().resolve("pom.xml")));
    }

    @Test
    void allAreFound() {
        List<Path> all = Goldens.all();
        assertEquals(74, all.size());
        assertEquals(37, all.stream().filter(Goldens::isFile).count());
        assertEquals(37, all.stream().filter(Goldens::isStream).count());
        assertEquals("0.14.1/generated_datetime.arrow_file", Goldens.title(all.getFirst()));
    }

    /// Its version is one that no generated class has a name for; the listing shows the number.
    @Test
    void forwardCompatibilityIsOfAnUnknownVersion() {
        OracleFile listed = OracleListing.list(Goldens.read(Goldens.forwardCompatibility()));
        assertEquals(1, listed.messages().size());
        assertEquals("Schema", listed.messages().getFirst().kind());
        assertEquals("5", listed.messages().getFirst().version());
    }
}
