// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.JsonTree;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.input.DetectedInput;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Bytes taken apart: each region with what was told of it. Checks on the way what holds for all
/// bytes: regions follow each other from 0 to the end, and each fault stands at one of them.
public final class Annotated implements AnnotateSink {
    private static final int MOST_FAULTS = 1_000;

    /// A region as a sink got it.
    record Told(Region region, Part part, List<Fault> faults, String note) {}

    final List<Told> regions = new ArrayList<>();
    final List<Fault> told = new ArrayList<>();
    DetectedInput input;
    AnnotateFaults faults;
    private long done;

    static Annotated of(byte[] bytes) {
        return of(bytes, null);
    }

    static Annotated of(byte[] bytes, Root root) {
        return of(MemorySegment.ofArray(bytes), root);
    }

    static Annotated of(MemorySegment memory, Root root) {
        Annotated annotated = new Annotated();
        try {
            annotated.input = AnnotateInput.of(memory, root);
            annotated.faults = AnnotateFaults.of(annotated.input, true);
            new AnnotateWalk(annotated.input, annotated.faults, annotated).run();
            long size = annotated.input.memory().byteSize();
            annotated.told.addAll(annotated.faults.in(size, Long.MAX_VALUE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertEquals(annotated.input.memory().byteSize(), annotated.done);
        assertEquals(
                new HashSet<>(annotated.faults.all()),
                new HashSet<>(annotated.told),
                () -> "faults that no region has");
        assertEquals(annotated.faults.all().size(), annotated.told.size());
        return annotated;
    }

    /// Takes bytes apart and shows them in every way: what is told of any bytes is told, JSON is
    /// JSON, and of the faults that the verifier finds none is lost.
    ///
    /// @param root null for bytes that say themselves what they are
    public static void assertTold(byte[] bytes, Root root) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Annotated all = of(memory, root);
        if (root != null && all.input.base64() == null) {
            all.assertToldFaultsOf(root);
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonOutput.generator(text)) {
            new AnnotateJson(json)
                    .write(
                            "x",
                            all.input,
                            AnnotateFaults.of(all.input, true),
                            new Selection(null, null));
            new AnnotateText(all.input, new PrintWriter(Writer.nullWriter()), true, 80)
                    .write(AnnotateFaults.of(all.input, true), new Selection(null, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonTree.parse(text.toString());
    }

    /// Requires that each fault that the verifier finds was told.
    ///
    /// @return how many it finds
    int assertToldFaultsOf(Root root) {
        Set<String> places = new HashSet<>();
        told.forEach(fault -> places.add(fault.rule().id() + fault.position()));
        MemorySegment memory = input.memory();
        return new Verifier()
                .findFaults(
                        root,
                        memory,
                        0,
                        memory.byteSize(),
                        fault ->
                                assertTrue(
                                        places.contains(fault.rule().id() + fault.position()),
                                        fault::toString),
                        MOST_FAULTS);
    }

    @Override
    public void region(Region region, Part part, List<Fault> at, String note) {
        assertEquals(done, region.at());
        assertTrue(region.length() > 0);
        assertTrue(region.node() == null || part.bufferAt() != Region.NOWHERE);
        done = region.end();
        for (Fault each : at) {
            assertTrue(each.position() >= region.at() && each.position() < done);
        }
        told.addAll(at);
        regions.add(new Told(region, part, at, note));
        // Whatever is there can be said in words.
        assertTrue(!region.name().isEmpty());
        region.meaning(input.memory(), part.bufferAt());
        region.typeName();
        region.symbol(input.memory());
    }

    Told at(long offset) {
        return regions.stream()
                .filter(each -> each.region.at() <= offset && offset < each.region.end())
                .findFirst()
                .orElseThrow();
    }

    /// The region at an offset as `name: meaning`.
    String say(long offset) {
        Told found = at(offset);
        return found.region.name()
                + ": "
                + found.region.meaning(input.memory(), found.part.bufferAt());
    }

    long count(RegionKind kind) {
        return regions.stream().filter(each -> each.region.kind() == kind).count();
    }

    List<String> codes() {
        return told.stream().map(each -> each.rule().id()).toList();
    }
}
