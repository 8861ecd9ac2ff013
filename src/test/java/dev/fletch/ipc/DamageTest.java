// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.Block;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Inputs with each byte of their framing replaced by each other one. All ways to read must say the
/// same of them, and nothing but that bytes are wrong. `MessageDecoderTest` cuts them.
class DamageTest {
    private static final ReadOptions ANY_SIZE =
            ReadOptions.DEFAULT.withLimits(Limits.DEFAULT.withMetadataBytes(Integer.MAX_VALUE));

    private static final int VALUES = 256;

    /// The next values are tried one by one, and those behind in steps. The step is odd, so that
    /// all bits change.
    private static final int NEAR = 8;

    private static final int STEP = CaseCount.of(29, 1);

    // ---- Changed ----

    @Test
    void changedPrefixesAreReadAlikeByAllReaders() {
        for (String name : new String[] {"dictionary_int8", "legacy_framing_v4"}) {
            byte[] stream = ArrowVectorFiles.named(name).stream();
            OracleFile oracle = OracleListing.list(stream);
            for (OracleMessage each : oracle.messages()) {
                for (int i = 0; i < each.prefixLength(); i++) {
                    changeTo(stream, (int) each.offset() + i, this::readStream);
                }
            }
            for (long at = oracle.endOffset(); at < stream.length; at++) {
                changeTo(stream, (int) at, this::readStream);
            }
        }
    }

    @Test
    void changedMetadataIsReadAlikeByAllReaders() {
        byte[] stream = ArrowVectorFiles.named("dictionary_int8").stream();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            for (int i = 0; i < each.metadataLength(); i++) {
                changeTo(stream, (int) each.metadataOffset() + i, this::readStream);
            }
        }
    }

    @Test
    void changedFilesFailOnlyWithDocumentedErrors() {
        byte[] file = ArrowVectorFiles.named("dictionary_int8").file();
        OracleFile oracle = OracleListing.list(file);
        for (OracleMessage each : oracle.messages()) {
            for (int i = 0; i < each.prefixLength(); i++) {
                changeTo(file, (int) each.offset() + i, this::readFile);
            }
        }
        for (int at = (int) oracle.endOffset(); at < file.length; at++) {
            changeTo(file, at, this::readFile);
        }
        for (int at = 0; at < 8; at++) {
            changeTo(file, at, this::readFile);
        }
    }

    /// A block has no byte that may be another one: all that is read is held against something, and
    /// what is not read is padding.
    @Test
    void changedBlocksAreNoticed() {
        byte[] file = ArrowVectorFiles.named("dictionary_int8").file();
        Listing whole = readFile(file);
        Block block = new Block();
        ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file));
        int start = (int) opened.footer().recordBatches(0, block).position();
        for (int i = 0; i < Block.BYTES; i++) {
            boolean padding = i >= 12 && i < 16;
            int at = start + i;
            byte right = file[at];
            for (int value = 0; value < VALUES; value++) {
                file[at] = (byte) value;
                boolean same = padding || file[at] == right;
                assertEquals(same, whole.equals(readFile(file)), "byte " + i + " is " + value);
            }
            file[at] = right;
        }
    }

    /// Reads with each value at one place.
    private static void changeTo(byte[] bytes, int at, Consumer<byte[]> read) {
        byte right = bytes[at];
        for (int change = 0; change < VALUES; change += change < NEAR ? 1 : STEP) {
            bytes[at] = (byte) (right + change);
            read.accept(bytes);
        }
        bytes[at] = right;
    }

    // ---- Ways to read ----

    private Listing readStream(byte[] stream) {
        Listing inMemory = guarded(() -> Listing.ofStream(stream));
        Listing inBuffer = guarded(() -> Listing.ofStream(ByteBuffer.wrap(stream)));
        Listing byReader =
                guarded(
                        () ->
                                Listing.ofReader(
                                        MessageReader.of(
                                                new ByteArrayInputStream(stream), ANY_SIZE)));
        assertEquals(inMemory, inBuffer);
        inMemory.assertFoundBy(byReader);
        return inMemory;
    }

    private Listing readFile(byte[] file) {
        return guarded(() -> Listing.ofFile(ArrowFile.of(MemorySegment.ofArray(file))));
    }

    /// The listing takes what it may; anything else is a fault of ours and fails the test.
    private static Listing guarded(Supplier<Listing> listing) {
        try {
            return listing.get();
        } catch (FletchException e) {
            return new Listing(List.of(), null, Listing.Failure.of(e));
        } catch (IndexOutOfBoundsException e) {
            return new Listing(List.of(), "index", null);
        }
    }
}
