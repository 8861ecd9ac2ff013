// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.testdata.EditedInput.Range;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// A sound input that edits damage.
///
/// @param footer where the footer begins in a file; 0 if it has none
public record DamageBase(
        byte[] bytes, List<OracleMessage> messages, int marker, int footer, List<Range> batches) {
    private static final int MARKER_BYTES = 8;
    private static final int TAIL_BYTES = 10;

    /// Whether the input is a file with its footer, one whose footer is cut off, or a stream.
    public enum Form {
        FILE,
        NO_FOOTER,
        STREAM
    }

    /// Where an edit begins.
    public enum Place {
        PREFIX,
        METADATA,
        BODY,
        BETWEEN,
        FOOTER
    }

    /// The name in a table.
    public static String id(Enum<?> of) {
        return of.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// @param random where a footer is cut
    public static DamageBase of(byte[] stream, int headLength, Form form, SplittableRandom random) {
        OracleFile listed = OracleListing.list(stream);
        int head = form == Form.STREAM ? 0 : headLength;
        int marker = head + (int) listed.endOffset();
        byte[] bytes = form == Form.STREAM ? stream : AssembledFile.of(headLength, stream).file();
        int footer = marker + MARKER_BYTES;
        if (form == Form.NO_FOOTER) {
            bytes = Arrays.copyOf(bytes, random.nextInt(footer, bytes.length - TAIL_BYTES));
        }
        List<OracleMessage> messages =
                listed.messages().stream().map(each -> each.movedBy(head)).toList();
        List<Range> batches =
                messages.stream()
                        .filter(OracleMessage::isRecordBatch)
                        .map(DamageBase::range)
                        .toList();
        return new DamageBase(bytes, messages, marker, form == Form.FILE ? footer : 0, batches);
    }

    /// A file or stream as it is.
    public static DamageBase of(byte[] sound) {
        OracleFile listed = OracleListing.list(sound);
        int footer = listed.footer() == null ? 0 : (int) listed.footer().offset();
        int marker = (int) listed.endOffset();
        List<Range> batches = listed.recordBatches().stream().map(DamageBase::range).toList();
        return new DamageBase(sound, listed.messages(), marker, footer, batches);
    }

    public static Range range(OracleMessage message) {
        return new Range((int) message.offset(), (int) message.endOffset());
    }

    /// Whether readers of the edited input know the schema.
    public boolean hasSchema(EditedInput edited) {
        OracleMessage first = messages.getFirst(); // some files have a schema in the footer only
        return first.isSchema() && !edited.places(range(first)).isEmpty()
                || footer > 0 && edited.endsWith(new Range(footer, bytes.length));
    }

    /// Whether it has such a place.
    public boolean has(Place place) {
        return place != Place.FOOTER || footer > 0;
    }

    public int position(Place place, SplittableRandom random) {
        if (place == Place.FOOTER) {
            return random.nextInt(footer, bytes.length);
        }
        OracleMessage at = messages.get(random.nextInt(messages.size()));
        int metadata = (int) at.metadataOffset();
        int body = (int) at.bodyOffset();
        int end = (int) at.endOffset();
        return switch (place) {
            case PREFIX -> random.nextInt((int) at.offset(), metadata + 1);
            case METADATA -> random.nextInt(metadata, body);
            case BODY -> random.nextInt(body, end + 1);
            default -> end;
        };
    }
}
