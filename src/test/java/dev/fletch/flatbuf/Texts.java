// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Schema;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Texts, and bytes that are texts or nearly so.
public final class Texts {
    private static final int MAX_LENGTH = 40;

    private Texts() {}

    /// Returns the bytes that a text has in UTF-8; null for one with an unpaired surrogate.
    public static byte[] utf8(CharSequence text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Arrays.copyOf(bytes.array(), bytes.limit());
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /// Returns texts of all lengths to 40 and of all widths of characters, among them such as have
    /// unpaired surrogates, begin with one another, or differ in little.
    public static List<String> strings() {
        Random random = new Random(20);
        Set<String> texts = new LinkedHashSet<>();
        for (int length = 0; length <= MAX_LENGTH; length++) {
            for (int width = 0; width < 5; width++) {
                String text = text(random, length, width);
                texts.add(text);
                texts.add(text + "\uD800");
                texts.add("\uDC00" + text);
                texts.add(text + "\0");
            }
        }
        for (int edge : new int[] {0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF}) {
            texts.add(Character.toString(edge));
        }
        texts.addAll(
                List.of("𐀀", "\uDBFF\uDFFF", "\uD800", "\uDC00", "\uDC00\uD800", "é", "e\u0301"));
        return List.copyOf(texts);
    }

    private static String text(Random random, int length, int width) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(codePoint(random, width));
        }
        return text.toString();
    }

    /// A character of one to four bytes, for width 4 of any.
    private static int codePoint(Random random, int width) {
        return switch (width == 4 ? random.nextInt(4) : width) {
            case 0 -> random.nextInt(0x80);
            case 1 -> random.nextInt(0x80, 0x800);
            case 2 ->
                    random.nextInt(0x800, 0xD800) + (random.nextInt(20) == 0 ? 0x800 + 0x2000 : 0);
            default -> random.nextInt(0x1_0000, 0x11_0000);
        };
    }

    /// Returns the bytes of [#strings], and such as are no UTF-8: over-long forms, surrogates,
    /// leads that the encoding does not have, sequences cut off, noise.
    static List<byte[]> byteStrings() {
        List<byte[]> all = new ArrayList<>();
        for (String text : strings()) {
            byte[] bytes = utf8(text);
            if (bytes != null) {
                all.add(bytes);
                if (bytes.length % 3 == 0) {
                    damaged(bytes, all);
                }
            }
        }
        for (String hex :
                List.of(
                        "c080",
                        "c1bf",
                        "e08080",
                        "e09fbf",
                        "f0808080",
                        "f08fbfbf",
                        "eda080edb080",
                        "eda080",
                        "edbfbf",
                        "f4908080",
                        "f5808080",
                        "f7bfbfbf",
                        "f8908080",
                        "f888808080",
                        "fc8480808080",
                        "fe",
                        "ff",
                        "80",
                        "bf",
                        "c3",
                        "e282",
                        "f09f99",
                        "c328",
                        "e28228",
                        "f09f9928",
                        "efbfbd",
                        "00",
                        "610062",
                        "c3a9",
                        "65cc81")) {
            all.add(HexFormat.of().parseHex(hex));
        }
        Random random = new Random(21);
        for (int length = 0; length <= MAX_LENGTH; length++) {
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            all.add(noise);
        }
        return all;
    }

    /// Changes one bit of each lead byte's upper half, and cuts the last byte off.
    private static void damaged(byte[] bytes, List<byte[]> into) {
        for (int i = 0; i < bytes.length; i++) {
            if ((bytes[i] & 0xC0) == 0xC0) {
                for (int bit : new int[] {0x40, 0x20, 0x10, 0x08}) {
                    byte[] damaged = bytes.clone();
                    damaged[i] ^= (byte) bit;
                    into.add(damaged);
                }
                break;
            }
        }
        if (bytes.length > 0) {
            into.add(Arrays.copyOf(bytes, bytes.length - 1));
        }
    }

    /// Returns a schema whose pairs of metadata have these bytes as keys, and no values.
    static byte[] schema(List<byte[]> keys) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int[] pairs = new int[keys.size()];
        for (int i = 0; i < pairs.length; i++) {
            int key = builder.createString(ByteBuffer.wrap(keys.get(i)));
            pairs[i] = KeyValue.createKeyValue(builder, key, 0);
        }
        int vector = Schema.createCustomMetadataVector(builder, pairs);
        builder.finish(GeneratedTables.schema(builder, (short) 0, 0, vector, 0));
        return builder.sizedByteArray();
    }
}
