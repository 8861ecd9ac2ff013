// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.format.Footer;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.write.SegmentList;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// Messages to be framed.
final class WrittenMessages {
    private WrittenMessages() {}

    /// Of a length that needs no padding.
    private static MemorySegment bytes(FbsValue.Table root) {
        return MemorySegment.ofArray(Frames.padded(Meant.bytes(root), Long.BYTES));
    }

    /// A schema with a column per dictionary, each in a list; one that is -1 has none.
    static MemorySegment schema(long... dictionaries) {
        return schemaOf(MetadataVersion.V5, 0, dictionaries);
    }

    static MemorySegment schemaOf(int version, long bodyLength, long... dictionaries) {
        return bytes(with(schemaMessage(bodyLength, dictionaries), "version", version));
    }

    private static FbsValue.Table schemaMessage(long bodyLength, long... dictionaries) {
        FbsValue.Table[] columns =
                LongStream.of(dictionaries)
                        .mapToObj(id -> id < 0 ? Meant.UTF8 : Meant.encoded(Meant.UTF8, id))
                        .map(item -> Meant.field("list", Type.LIST, table("List"), item))
                        .toArray(FbsValue.Table[]::new);
        return Meant.message(Meant.schema(columns), bodyLength);
    }

    /// A schema message with a key/value pair of its own.
    static byte[] schemaWithPair(String key, String value) {
        return Meant.bytes(with(schemaMessage(0, 5, -1), "custom_metadata", pairs(key, value)));
    }

    /// A footer of nothing but key/value pairs.
    static Footer footerOfPairs(String... keysAndValues) {
        FbsValue.Table footer =
                table(
                        "Footer",
                        "version",
                        MetadataVersion.V5,
                        "custom_metadata",
                        pairs(keysAndValues));
        return new Footer().wrap(bytes(footer));
    }

    private static List<FbsValue.Table> pairs(String... keysAndValues) {
        List<FbsValue.Table> pairs = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            pairs.add(table("KeyValue", "key", keysAndValues[i], "value", keysAndValues[i + 1]));
        }
        return pairs;
    }

    private static FbsValue.Table batchOf(long bodyLength) {
        return Meant.batch(List.of(pair(3, 0)), List.of(pair(0, bodyLength)));
    }

    /// A record batch with one buffer.
    static MemorySegment batch(long bodyLength) {
        return bytes(Meant.message(batchOf(bodyLength), bodyLength));
    }

    /// A dictionary batch with one buffer.
    static MemorySegment dictionary(long id, boolean delta, long bodyLength) {
        FbsValue.Table batch = table("DictionaryBatch", "id", id, "data", batchOf(bodyLength));
        return bytes(Meant.message(with(batch, "isDelta", delta ? 1 : 0), bodyLength));
    }

    /// A dictionary batch without the record batch that it should hold.
    static MemorySegment dictionaryWithoutData(long id) {
        return bytes(Meant.message(table("DictionaryBatch", "id", id), 0));
    }

    static MemorySegment tensor(long bodyLength) {
        FbsValue.Table tensor =
                table(
                        "Tensor",
                        "type_type",
                        Type.BOOL,
                        "type",
                        table("Bool"),
                        "shape",
                        List.of(),
                        "data",
                        pair(0, bodyLength));
        return bytes(Meant.message(tensor, bodyLength));
    }

    /// A message that says it has a header, and has none.
    static MemorySegment withoutHeader(int kind) {
        return bytes(table("Message", "version", MetadataVersion.V5, "header_type", kind));
    }

    /// A body whose bytes tell their places.
    static SegmentList body(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i + 1);
        }
        return new SegmentList().add(MemorySegment.ofArray(content), 0, bytes);
    }
}
