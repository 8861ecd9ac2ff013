// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.ipc.ArrowContainer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/// What the suffix of a file's name stands for.
class FileSuffixesTest {
    @ParameterizedTest
    @CsvSource({
        "x.arrow, FILE",
        "x.arrow_file, FILE",
        "x.feather, FILE",
        "x.ipc, FILE",
        "x.arrows, STREAM",
        "x.arrow_stream, STREAM",
        "x.stream, STREAM",
        "X.ARROWS, STREAM",
        "x.Arrow_File, FILE",
        "a.b.stream, STREAM",
        "x.arrow.stream, STREAM",
        "x.stream.arrow, FILE",
        "folder.stream/x.arrow, FILE",
        "folder.arrow/x.stream, STREAM",
        "folder.stream/, STREAM",
        ".stream, STREAM",
        "folder/.arrow, FILE",
        "folder.stream/x,",
        "folder.arrow/x.bin,",
        "x,",
        "arrows,",
        "xarrows,",
        "x.arrow.gz,",
        "x.arrow2,",
        "x.,",
        ".,",
        "..,",
        "/,",
        "'',",
        "'x.arrow ',"
    })
    void suffixDeterminesTheContainer(String path, ArrowContainer expected) {
        assertEquals(expected, FileSuffixes.container(Path.of(path)));
    }

    @Test
    void eachSuffixIsListedOnce() {
        assertEquals(7, FileSuffixes.ALL.size());
        assertEquals(List.copyOf(FileSuffixes.ALL), FileSuffixes.ALL.stream().distinct().toList());
    }
}
