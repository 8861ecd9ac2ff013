// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.schema;
import static dev.fletch.ipc.WrittenMessages.schemaOf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.TableEncoder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Finishing with another file's footer: it has to be one of the same schema and version.
class WriteFooterLikeTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out);

    private static byte[] file(MemorySegment schema) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out);
        writer.write(schema);
        writer.write(batch(0));
        writer.finish();
        return out.toByteArray();
    }

    private static Footer like(MemorySegment schema) throws IOException {
        return ArrowFile.of(MemorySegment.ofArray(file(schema))).footer();
    }

    private static Footer withoutSchema() {
        FlatBufferWriter footer = new FlatBufferWriter().alignEmptyVectors(true);
        footer.finish(TableEncoder.create(footer, "Footer", MetadataVersion.V5, 0, 0, 0, 0));
        return new Footer().wrap(footer.segment());
    }

    private void refused(String text, Footer like) {
        int size = out.size();
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> writer.finish(like));
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertEquals(size, out.size());
    }

    /// After each refusal the file can be finished in the plain way.
    @Test
    void footersOfOtherFilesAreRefused() throws IOException {
        writer.write(schema(5));
        writer.write(batch(0));
        for (MemorySegment other : List.of(schema(), schema(6), schema(5, 5), schema(-1))) {
            refused("differs from the written schema", like(other));
        }
        refused("footer=V4, written=V5", like(schemaOf(MetadataVersion.V4, 0, 5)));
        refused("no schema", withoutSchema());
        writer.finish();
        assertArrayEquals(file(schema(5)), out.toByteArray());
    }

    @Test
    void aFooterGivenBeforeTheSchemaIsRefused() throws IOException {
        Footer other = like(schema(6));
        assertThrows(IllegalStateException.class, () -> writer.finish(other));
        writer.write(schema(5));
        writer.write(batch(0));
        writer.finish();
        assertArrayEquals(file(schema(5)), out.toByteArray());
    }

    /// The order in which a producer has put the same schema down plays no part.
    @ParameterizedTest
    @EnumSource
    void theFieldOrderOfAFooterDoesNotMatter(EmissionOrder order) throws IOException {
        writer.write(schema(5, -1, 9));
        writer.write(batch(0));
        FlatBufferWriter footer = order.newWriter().reset();
        new MetadataWriter(order, footer).footer(like(schema(5, -1, 9)));
        Footer like = new Footer().wrap(footer.segment());
        like.setVersion(MetadataVersion.V1); // as if it had none
        writer.finish(like);
        byte[] written = out.toByteArray();
        ArrowFile.of(MemorySegment.ofArray(written)).footer().setVersion(MetadataVersion.V5);
        assertArrayEquals(file(schema(5, -1, 9)), written);
    }
}
