// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.command.verify.Verified;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// A file that has lost its end, and has no mark between messages and footer either, as old writers
/// leave it: what remains of the footer is not taken for a message.
class LostFooterTest {
    private static final int MARK_BYTES = 8;
    private static final String FAULT = "no-trailing-magic";

    private final byte[] whole = TradesSample.file();
    private final OracleFile oracle = OracleListing.list(whole);
    private final int footerAt = (int) oracle.footer().offset() - MARK_BYTES;
    private final byte[] unmarked = unmarked();

    private byte[] unmarked() {
        ByteBuffer bytes = ByteBuffer.allocate(whole.length - MARK_BYTES);
        bytes.put(whole, 0, footerAt);
        bytes.put(whole, footerAt + MARK_BYTES, bytes.remaining());
        return bytes.array();
    }

    private static List<String> verified(byte[] file, int messages) {
        Verified verified = Verified.of(file);
        assertEquals(messages, verified.check().report().messages());
        assertEquals(verified.brief(), Verified.piped(file).brief());
        return verified.findings().stream().map(each -> each.rule().id()).toList();
    }

    private static List<String> annotated(byte[] file) {
        Object json = Cli.runWithInput(file, "annotate", "--json", "-").json().getFirst();
        return ((List<?>) JsonTree.object(json).get("faults"))
                .stream().map(each -> (String) JsonTree.object(each).get("code")).toList();
    }

    /// Cut off: the magic alone, the footer's length as well, most of the footer, all of it.
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 10, 300, 700})
    void truncatedFileHasOneFault(int bytes) {
        byte[] file = Arrays.copyOf(unmarked, unmarked.length - bytes);
        assertEquals(List.of(FAULT), verified(file, 5));
        assertEquals(List.of(FAULT), annotated(file));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 7})
    void wrongMagicAndFooterLengthAreOneFault(int beforeEnd) {
        byte[] file = unmarked.clone();
        file[file.length - 1] = '2';
        file[file.length - beforeEnd] ^= 1;
        assertEquals(List.of(FAULT), verified(file, 5));
        assertEquals(List.of(FAULT), annotated(file));
    }

    /// Where a message comes later, this is not the footer but a damaged message.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void wrongContinuationWordIsNotTakenForTheFooter(int message) {
        byte[] file = Arrays.copyOf(unmarked, unmarked.length - 6);
        file[(int) oracle.messages().get(message).offset()] = 0;
        List<String> codes = annotated(file);
        assertEquals(List.of("no-trailing-magic"), codes.subList(codes.size() - 1, codes.size()));
        assertEquals("negative-metadata-length", codes.getFirst());
    }
}
