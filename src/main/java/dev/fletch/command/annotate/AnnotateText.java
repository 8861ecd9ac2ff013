// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;
import dev.fletch.command.text.Numbers;
import dev.fletch.command.text.Terminal;
import dev.fletch.input.DetectedInput;
import dev.fletch.wire.Base64Text;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// Prints an annotated input as text: a line per region with its offsets in input and flatbuffer,
/// its bytes, and their meaning; headings for messages and objects.
final class AnnotateText implements AnnotateSink {
    private static final int BYTES_PER_LINE = 8;
    private static final int MOST_LINES = 4;
    private static final int HEX_WIDTH = 3 * BYTES_PER_LINE - 1;
    private static final int LEAST_PLACE = 7;

    private static final String PART = "1";
    private static final String NODE = "36";
    private static final String FAINT = "2";
    private static final String WARNING = "33";
    private static final String FAULT = "31;1";

    private final PrintWriter out;
    private final boolean isColored;
    private final int width;
    private final DetectedInput input;
    private final MemorySegment memory;
    private final int placeWidth;
    private final String rowFormat;
    private Part part;
    private Node shown;

    AnnotateText(DetectedInput input, PrintWriter out, boolean isColored, int width) {
        this.input = input;
        this.memory = input.memory();
        int digits = Long.toString(memory.byteSize()).length();
        this.placeWidth = Math.max(LEAST_PLACE, digits + 1);
        this.rowFormat = "%" + placeWidth + "d  %" + placeWidth + "s  %-" + HEX_WIDTH + "s%s%s";
        this.out = out;
        this.isColored = isColored;
        this.width = width;
    }

    void write(AnnotateFaults faults, Selection chosen) throws IOException {
        line(PART, title() + ", " + Numbers.bytes(memory.byteSize()));
        new AnnotateWalk(input, faults, chosen.to(this, input)).run();
        for (Fault each : faults.in(memory.byteSize(), Long.MAX_VALUE)) {
            indented(FAULT, "fault at the end: " + each.what());
        }
        int count = faults.all().size();
        String complete = faults.check().complete();
        line(
                count == 0 ? PART : FAULT,
                (count == 0 ? "no fault" : Numbers.count(count, "fault", "faults"))
                        + (chosen.isAll() ? "" : " in the whole input")
                        + (complete.isEmpty() ? "" : "; " + complete));
        chosen.requireFound(memory.byteSize());
    }

    /// The detected form of the input.
    private String title() {
        String title =
                switch (input.form()) {
                    case FILE -> "file";
                    case STREAM -> "stream";
                    case MESSAGE -> "encapsulated message";
                    case FLATBUFFER -> "flatbuffer " + input.root().table();
                    case UNKNOWN -> "not a file, stream, message or flatbuffer";
                };
        Base64Text text = input.base64();
        if (text == null) {
            return title;
        }
        return text.faultAt() < 0
                ? "base64 of: " + title
                : "base64, damaged at character " + text.faultAt() + ", of: " + title;
    }

    @Override
    public void region(Region region, Part of, List<Fault> faults, String note) {
        heading(region, of);
        boolean isInBuffer = part.isInBuffer(region);
        String meaning = region.meaning(memory, part.bufferAt());
        StringBuilder said =
                new StringBuilder().repeat(' ', shown != null ? 4 : isInBuffer ? 2 : 0);
        said.append(region.name());
        String named = region.elementName(memory);
        if (!named.isEmpty()) {
            said.append(' ').append(region.typeName()).append(' ').append(named);
        } else if (region.kind() == RegionKind.FIELD || region.kind() == RegionKind.ELEMENT) {
            said.append(" (").append(region.typeName()).append(')');
        }
        BatchOwners.Owner owner = part.owners().of(region);
        String sentence =
                owner == null ? "" : owner.sentence(region.member().name(), region.number(memory));
        boolean fits = indent() + said.length() + 2 + sentence.length() <= width;
        String shown = owner != null && fits ? sentence : meaning;
        rows(region, isInBuffer, shown.isEmpty() ? said.toString() : said + ": " + shown);
        if (owner != null && !fits && region.member().offset() == 0) {
            indented("", "of " + owner.brief()); // once for all members of the struct
        }
        if (note != null) {
            indented(WARNING, "note: " + note);
        }
        for (Fault each : faults) {
            indented(FAULT, "fault: " + each.what());
        }
    }

    private void heading(Region region, Part of) {
        // A single flatbuffer is one part; the first line is its heading.
        if (part != of && input.form() != DetectedInput.Form.FLATBUFFER) {
            line(PART, of.title());
        }
        part = of;
        Node node = region.node();
        if (node != null && node != shown) {
            line(NODE, "  " + node.heading(part.bufferAt()));
            node.isShown = true;
        }
        shown = node;
    }

    private void rows(Region region, boolean isInBuffer, String said) {
        int lines = region.kind() == RegionKind.PADDING ? 1 : MOST_LINES;
        byte[] bytes =
                region.kind() == RegionKind.BODY
                        ? new byte[0]
                        : region.bytes(memory, lines * BYTES_PER_LINE);
        for (int position = 0;
                position == 0 || position < bytes.length;
                position += BYTES_PER_LINE) {
            int to = Math.min(position + BYTES_PER_LINE, bytes.length);
            long place = region.at() + position;
            boolean isCut = to == bytes.length && to > 0 && to < region.length();
            String row =
                    String.format(
                            Locale.ROOT,
                            rowFormat,
                            place,
                            isInBuffer ? "+" + (place - part.bufferAt()) : "",
                            HexFormat.ofDelimiter(" ").formatHex(bytes, position, to),
                            isCut ? "… " : "  ",
                            position == 0 ? said : "");
            line(style(region), row);
        }
    }

    private static String style(Region region) {
        return switch (region.kind()) {
            case PADDING, BODY -> FAINT;
            case UNREFERENCED, NOT_ANNOTATED, UNKNOWN_FIELD -> WARNING;
            default -> "";
        };
    }

    // ---- lines

    private void indented(String style, String said) {
        int indent = indent() + (shown != null ? 4 : 2);
        line(style, " ".repeat(width - indent < said.length() / 2 ? 4 : indent) + said);
    }

    /// Characters of a line before its meaning.
    private int indent() {
        return 2 * placeWidth + HEX_WIDTH + 6;
    }

    /// Prints a line, cut to the width of the terminal, without trailing spaces. Never cuts a
    /// fault.
    private void line(String style, String said) {
        String shown = Escaper.text(said.stripTrailing());
        if (!style.equals(FAULT)) {
            shown = Terminal.shortened(shown, width);
        }
        if (isColored && !style.isEmpty()) {
            out.println("\u001b[" + style + "m" + shown + "\u001b[0m");
        } else {
            out.println(shown);
        }
    }
}
