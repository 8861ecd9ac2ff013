// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.text.PageTemplate;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.input.DetectedInput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The data of the page of `annotate --html`: see [PageTemplate]. A few times as long as the
/// metadata, because what many regions have in common is there once, and a number is only in its
/// bytes.
///
/// Each part has its bytes in base64, and a list of numbers for its regions: the index of a [Look]
/// and, as that says, a length, the target, and the index of a text. A negative number begins the
/// regions of an object: -1 of none, -2 of the part's first one, and so on.
final class AnnotatePage implements AnnotateSink {
    // The most bytes of a region.
    private static final int MOST_BYTES = 4_096;
    private static final int NO_NODE = -1;

    /// What many regions have in common.
    ///
    /// @param length in bytes; 0 if it differs
    /// @param name of an element, only what follows the index
    /// @param meaning null if it is in the bytes
    /// @param elementBytes of an element; else 0
    /// @param noun of a member with an owner, whose text follows; else null
    private record Look(
            RegionKind kind,
            long length,
            String name,
            String type,
            String meaning,
            boolean isSigned,
            boolean hasTarget,
            int elementBytes,
            String noun,
            boolean isNamed) {}

    /// What is said of a region.
    private record Remark(int region, String note, List<Fault> faults) {}

    private final JsonGenerator json;
    private final MemorySegment memory;
    private final Map<Look, Integer> looks = new LinkedHashMap<>();
    private final Map<String, Integer> texts = new LinkedHashMap<>();
    private long regions;

    // Of the current part.
    private Part part;
    private Node node;
    private int partRegions;
    private final Map<Node, Integer> nodes = new IdentityHashMap<>();
    private final List<Node> nodeList = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Remark> remarks = new ArrayList<>();

    AnnotatePage(JsonGenerator json, MemorySegment memory) {
        this.json = json;
        this.memory = memory;
    }

    /// @return whether all regions were written
    boolean write(String name, DetectedInput input, AnnotateFaults faults, Selection chosen)
            throws IOException {
        json.writeStartObject();
        AnnotateJson.input(json, name, input);
        json.writeNumberField("mostBytes", MOST_BYTES);
        json.writeArrayFieldStart("parts");
        new AnnotateWalk(input, faults, chosen.to(this, input)).run();
        endPart();
        json.writeEndArray();
        boolean isWhole = regions <= PageTemplate.MAX_REGIONS;
        json.writeStringField("end", isWhole ? null : PageTemplate.END);
        json.writeBooleanField("isChosen", !chosen.isAll());
        JsonOutput.array(json, "looks", List.copyOf(looks.keySet()), AnnotatePage::look);
        JsonOutput.array(json, "texts", List.copyOf(texts.keySet()), JsonGenerator::writeString);
        JsonOutput.faults(json, faults.all());
        json.writeEndObject();
        chosen.requireFound(memory.byteSize());
        return isWhole;
    }

    private static void look(JsonGenerator to, Look look) throws IOException {
        to.writeStartArray();
        to.writeString(look.kind.id());
        to.writeNumber(look.length);
        to.writeString(look.name);
        to.writeString(look.type);
        to.writeString(look.meaning);
        to.writeBoolean(look.isSigned);
        to.writeBoolean(look.hasTarget);
        to.writeNumber(look.elementBytes);
        to.writeString(look.noun);
        to.writeBoolean(look.isNamed);
        to.writeEndArray();
    }

    @Override
    public void region(Region region, Part of, List<Fault> faults, String note) throws IOException {
        if (++regions > PageTemplate.MAX_REGIONS) {
            return;
        }
        if (part != of) {
            endPart();
            beginPart(of, region.at());
        }
        if (region.node() != node) {
            node = region.node();
            json.writeNumber(node == null ? -1 : -2 - number(node));
        }
        BatchOwners.Owner owner = of.owners().of(region);
        String named = region.elementName(memory);
        Look look = look(region, of, owner, !named.isEmpty());
        json.writeNumber(looks.computeIfAbsent(look, _ -> looks.size()));
        if (look.length == 0) {
            json.writeNumber(region.length());
        }
        if (look.hasTarget) {
            json.writeNumber(region.target() - of.bufferAt());
        }
        if (owner != null) {
            json.writeNumber(text(owner.text()));
        }
        if (look.isNamed) {
            json.writeNumber(text(named));
        }
        if (region.kind() != RegionKind.BODY) {
            bytes.writeBytes(region.bytes(memory, MOST_BYTES));
        }
        if (note != null || !faults.isEmpty()) {
            remarks.add(new Remark(partRegions, note, faults));
        }
        partRegions++;
    }

    private Look look(Region region, Part part, BatchOwners.Owner owner, boolean isNamed) {
        RegionKind kind = region.kind();
        boolean isElement = kind == RegionKind.ELEMENT;
        String member = region.member() == null ? null : region.member().name();
        String meaning = region.meaning(memory, part.bufferAt());
        boolean hasTarget = region.target() != Region.NOWHERE;
        boolean isInBytes =
                hasTarget
                        || kind == RegionKind.TEXT
                        || region.isNumber()
                                && meaning.equals(Long.toString(region.number(memory)));
        InlineType type = region.type();
        return new Look(
                kind,
                kind.hasAnyLength() ? 0 : region.length(),
                isElement ? member == null ? "" : "." + member : region.name(),
                region.typeName(),
                isInBytes || kind.hasAnyLength() ? null : meaning,
                type == null ? "int".equals(kind.type) : type.isSigned(),
                hasTarget,
                isElement ? region.field().bytes() : 0,
                owner == null ? null : owner.noun(member),
                isNamed);
    }

    private int text(String text) {
        return texts.computeIfAbsent(text, _ -> texts.size());
    }

    // ---- parts

    private void beginPart(Part of, long position) throws IOException {
        part = of;
        json.writeStartObject();
        json.writeStringField("title", of.title());
        json.writeNumberField("offset", position);
        json.writeNumberField("bufferAt", of.bufferAt());
        json.writeArrayFieldStart("regions");
    }

    private void endPart() throws IOException {
        if (part == null) {
            return;
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodes");
        for (Node each : nodeList) {
            json.writeNumber(text(each.title()));
            json.writeNumber(each.field == null ? NO_NODE : text(each.step()));
            json.writeNumber(each.from == null ? NO_NODE : nodes.get(each.from));
            json.writeNumber(each.at);
            json.writeNumber(each.kind == Node.Kind.VTABLE ? each.references : 0);
        }
        json.writeEndArray();
        json.writeBinaryField("bytes", bytes.toByteArray());
        JsonOutput.objects(
                json,
                "remarks",
                remarks,
                (to, each) -> {
                    to.writeNumberField("region", each.region);
                    to.writeStringField("note", each.note);
                    JsonOutput.faults(to, each.faults);
                });
        json.writeEndObject();
        node = null;
        partRegions = 0;
        nodes.clear();
        nodeList.clear();
        bytes.reset();
        remarks.clear();
    }

    /// The number of an object in its part; those that lead to it get one, too.
    private int number(Node node) {
        for (Node each = node; each != null && !nodes.containsKey(each); each = each.from) {
            nodes.put(each, nodeList.size());
            nodeList.add(each);
        }
        return nodes.get(node);
    }
}
