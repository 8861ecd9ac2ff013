// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.cli.io.DetectedInput;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.text.PageTemplate;
import dev.fletch.cli.verify.Finding;

import java.io.IOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// An annotated input as a page: see [PageTemplate].
///
/// Its data are rows, each an array that begins with what it is, and the bytes, in pieces of base64:
///
/// ```text
///   0  part    title, offset of its flatbuffer or -1
///   1  object  title
///   2  region  length, kind, whether an object owns it, name, type, meaning, where it leads
///   3  note    text
///   4  fault   text
/// ```
final class AnnotatePage implements AnnotateSink {
    private static final int PART = 0;
    private static final int NODE = 1;
    private static final int REGION = 2;
    private static final int NOTE = 3;
    private static final int FAULT = 4;
    private static final int MOST_TEXT = 4_000;

    // Long regions that nothing leads to are left out as bodies are.
    private static final int MOST_LOOSE_BYTES = 64 << 10;
    private static final int PIECE_BYTES = 3 << 18;

    private final String name;
    private final Writer page;
    private final PageTemplate template;
    private final JsonGenerator json;
    private final List<long[]> pieces = new ArrayList<>();
    private MemorySegment memory;
    private int regions;

    AnnotatePage(String name, Writer page) throws IOException {
        this.name = name;
        this.page = page;
        this.template = PageTemplate.of("annotate");
        this.json = template.begin(page);
    }

    /// Whether the page has all regions there are.
    boolean isWhole() {
        return regions <= PageTemplate.MAX_REGIONS;
    }

    @Override
    public void start(DetectedInput input) throws IOException {
        memory = input.memory();
        json.writeStartObject();
        json.writeStringField("file", InputBytes.title(name));
        json.writeStringField("form", AnnotateText.title(input));
        json.writeNumberField("size", memory.byteSize());
        json.writeArrayFieldStart("kinds");
        for (RegionKind each : RegionKind.values()) {
            json.writeString(each.id());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
    }

    @Override
    public void part(Part part) throws IOException {
        if (regions < PageTemplate.MAX_REGIONS) {
            json.writeStartArray();
            json.writeNumber(PART);
            json.writeString(part.title());
            json.writeNumber(part.bufferAt());
            json.writeEndArray();
        }
    }

    @Override
    public void node(Node node, Part part) throws IOException {
        if (regions < PageTemplate.MAX_REGIONS && node.kind != Node.Kind.BUFFER) {
            row(NODE, node.heading(part.bufferAt(), ""));
        }
    }

    private void row(int type, String title) throws IOException {
        json.writeStartArray();
        json.writeNumber(type);
        json.writeString(title);
        json.writeEndArray();
    }

    @Override
    public void region(Region region, Part part, List<Finding> faults, String note)
            throws IOException {
        regions++;
        if (regions > PageTemplate.MAX_REGIONS) {
            if (regions == PageTemplate.MAX_REGIONS + 1) {
                row(NOTE, PageTemplate.END);
            }
            for (Finding each : faults) {
                row(FAULT, each.what());
            }
            return;
        }
        json.writeStartArray();
        json.writeNumber(REGION);
        json.writeNumber(region.length());
        json.writeNumber(region.kind().ordinal());
        boolean hasNode = region.node() != null && region.node().kind != Node.Kind.BUFFER;
        json.writeNumber(hasNode ? 1 : 0);
        json.writeString(region.name());
        json.writeString(region.node() == null ? null : region.typeName());
        json.writeString(region.meaning(memory, part.bufferAt(), MOST_TEXT));
        if (region.target() != Region.NOWHERE) {
            json.writeNumber(region.target());
        }
        json.writeEndArray();
        if (note != null) {
            row(NOTE, note);
        }
        for (Finding each : faults) {
            row(FAULT, each.what());
        }
        bytes(region);
    }

    private void bytes(Region region) {
        boolean isLoose =
                region.kind() == RegionKind.UNREFERENCED
                        || region.kind() == RegionKind.NOT_ANNOTATED;
        if (region.kind() == RegionKind.BODY || isLoose && region.length() > MOST_LOOSE_BYTES) {
            return;
        }
        long[] last = pieces.isEmpty() ? null : pieces.getLast();
        if (last != null && last[1] == region.at()) {
            last[1] = region.end();
        } else {
            pieces.add(new long[] {region.at(), region.end()});
        }
    }

    @Override
    public void end(AnnotateFaults faults, List<Finding> outside) throws IOException {
        for (Finding each : outside) {
            row(FAULT, each.what());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("bytes");
        for (long[] each : pieces) {
            for (long at = each[0]; at < each[1]; at += PIECE_BYTES) {
                long length = Math.min(PIECE_BYTES, each[1] - at);
                json.writeStartArray();
                json.writeNumber(at);
                json.writeBinary(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
                json.writeEndArray();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        template.end(page);
    }
}
