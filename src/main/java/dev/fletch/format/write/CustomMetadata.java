// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.wire.Utf8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/// Key/value pairs to write as the custom metadata of messages. Values may change between two
/// messages.
///
/// ```java
/// CustomMetadata metadata = new CustomMetadata("sequence");
/// …
/// metadata.set(0, bytes);
/// int length = template.write(memory, at, rows, layout, metadata);
/// ```
///
/// Texts are copied: strings in UTF-8; bytes need not be UTF-8, as other writers permit. A message
/// is written fastest if only bytes of values differ from the last one's, not their lengths.
///
/// **Errors.** An [IllegalArgumentException] if all texts together exceed 1 GiB, or a string has an
/// unpaired surrogate. An [IndexOutOfBoundsException] if there is no pair with an index, or a range
/// of bytes is not inside its source. After an exception, nothing has changed.
///
/// **Allocation.** None for values given as bytes, except for more pairs or longer texts than
/// before.
///
/// **Threads.** Belongs to one thread at a time. Methods that return a [CustomMetadata] return
/// this.
///
/// Source: `format/Message.fbs`, `Message.custom_metadata`.
public final class CustomMetadata {
    private static final int FIRST_BYTES = 16;
    private static final int MOST_BYTES = 1 << 30;
    private static final byte[] NOTHING = {};

    // The keys, each followed by its value, and their lengths. Arrays are kept for later texts.
    private byte[][] texts = {};
    private int[] lengths = {};
    private long total;
    private int count;
    private int changes;

    /// Creates pairs with empty values; without keys, none.
    ///
    /// @param keys in the wanted order; a key may repeat
    public CustomMetadata(String... keys) {
        for (String key : keys) {
            add(key);
        }
    }

    /// The pairs of a message, without those that name a codec.
    static CustomMetadata withoutCodec(Message message) {
        return new CustomMetadata()
                .addAll(
                        message,
                        message.customMetadataCount(),
                        message::customMetadata,
                        pair -> !pair.keyEquals(BatchCodec.KEY));
    }

    /// Adds a pair with an empty value. Its index is the number of pairs before.
    public CustomMetadata add(String key) {
        return add(Utf8.encoded(key));
    }

    /// Adds the pairs of a message, byte for byte. An absent key or value becomes empty.
    ///
    /// @throws FletchException if shared pairs take more than [Limits#unfoldedBytes(long)] of
    ///     [Limits#DEFAULT]; then nothing has changed
    public CustomMetadata addAll(Message from) {
        return addAll(from, from.customMetadataCount(), from::customMetadata, _ -> true);
    }

    /// Adds the pairs of a footer, as [#addAll(Message)] does those of a message.
    public CustomMetadata addAll(Footer from) {
        return addAll(from, from.customMetadataCount(), from::customMetadata, _ -> true);
    }

    private CustomMetadata addAll(
            Table owner,
            int pairs,
            BiFunction<Integer, KeyValue, KeyValue> from,
            Predicate<KeyValue> isWanted) {
        KeyValue pair = new KeyValue();
        Utf8Slice text = new Utf8Slice();
        SchemaSize size = new SchemaSize(Limits.DEFAULT);
        size.begin(owner.bufferLength());
        for (int i = 0; i < pairs; i++) {
            from.apply(i, pair);
            if (!size.addPair((long) pair.keyLength() + pair.valueLength())) {
                throw size.tooLarge(owner);
            }
        }
        for (int i = 0; i < pairs; i++) {
            if (isWanted.test(from.apply(i, pair))) {
                add(pair, text);
            }
        }
        return this;
    }

    private void add(KeyValue pair, Utf8Slice text) {
        add(pair.key(text) ? text.toByteArray() : NOTHING);
        set(count - 1, pair.value(text) ? text.toByteArray() : NOTHING);
    }

    /// Adds a pair with an empty value. The key need not be UTF-8.
    CustomMetadata add(byte[] bytes) {
        int key = 2 * count;
        if (key == lengths.length) {
            texts = Arrays.copyOf(texts, Math.max(8, 2 * key));
            lengths = Arrays.copyOf(lengths, texts.length);
        }
        lengths[key] = 0;
        lengths[key + 1] = 0;
        System.arraycopy(bytes, 0, room(key, bytes.length), 0, bytes.length);
        setLength(key, bytes.length);
        room(key + 1, 0);
        count++;
        changes++;
        return this;
    }

    /// Sets the value of the pair with an index.
    public CustomMetadata set(int pair, String value) {
        return set(pair, Utf8.encoded(value));
    }

    /// Sets the value of the pair with an index.
    public CustomMetadata set(int pair, byte[] value) {
        System.arraycopy(value, 0, room(valueOf(pair), value.length), 0, value.length);
        setLength(valueOf(pair), value.length);
        return this;
    }

    /// Sets the value of the pair with an index to `length` bytes of any kind of memory, from
    /// offset `position` on.
    public CustomMetadata set(int pair, MemorySegment from, long position, int length) {
        Objects.checkFromIndexSize(position, length, from.byteSize());
        byte[] to = room(valueOf(pair), length);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, position, to, 0, length);
        setLength(valueOf(pair), length);
        return this;
    }

    private int valueOf(int pair) {
        return 2 * Objects.checkIndex(pair, count) + 1;
    }

    /// Returns the array for a text of some bytes. The old text stays until [#setLength].
    private byte[] room(int text, int length) {
        long used = total - lengths[text];
        if (length > MOST_BYTES - used) {
            throw new IllegalArgumentException(
                    "custom metadata is too long: used=" + used + ", length=" + length);
        }
        byte[] old = Objects.requireNonNullElse(texts[text], NOTHING);
        if (old.length < Math.max(1, length)) {
            texts[text] = Arrays.copyOf(old, Math.max(FIRST_BYTES, length + (length >> 1)));
        }
        return texts[text];
    }

    private void setLength(int text, int length) {
        if (lengths[text] != length) {
            total += length - lengths[text];
            lengths[text] = length;
            changes++;
        }
    }

    /// {@return number of pairs}
    public int count() {
        return count;
    }

    /// {@return a copy of the key of the pair with an index}
    public byte[] key(int pair) {
        return copy(2 * Objects.checkIndex(pair, count));
    }

    /// {@return a copy of the value of the pair with an index}
    public byte[] value(int pair) {
        return copy(valueOf(pair));
    }

    private byte[] copy(int text) {
        return Arrays.copyOf(texts[text], lengths[text]);
    }

    /// A number that differs after pairs are added, or a value gets another length.
    int changes() {
        return changes;
    }

    /// The bytes of a text, of [#length]: of pair `i`, the key is text `2 * i`, the value the next.
    byte[] text(int text) {
        return texts[text];
    }

    int length(int text) {
        return lengths[text];
    }
}
