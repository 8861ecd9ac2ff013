// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.TableEncoder;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Messages whose metadata verifies, with body lengths that can and cannot be.
class MessagePlaceTest {
    @ParameterizedTest
    @CsvSource({"0, true", "8, true", "-8, false", "-9223372036854775808, false"})
    void aMessageWithANegativeBodyLengthIsNotSound(long bodyLength, boolean expected) {
        FlatBufferWriter writer = new FlatBufferWriter();
        int fields = writer.createOffsetVector(new int[0], 0, 0);
        int schema = TableEncoder.createSchema(writer, 0, fields, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.SCHEMA, schema, bodyLength, 0));
        byte[] metadata = writer.toByteArray();
        ByteBuffer framed =
                ByteBuffer.allocate(8 + metadata.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(-1)
                        .putInt(metadata.length)
                        .put(metadata);
        MemorySegment memory = MemorySegment.ofArray(framed.array());
        MessagePlace place = MessagePlace.at(memory, 0, memory.byteSize());
        assertTrue(place.isWhole());
        assertEquals(expected, place.isSound(Limits.DEFAULT));
    }
}
