// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Changes of numbers in a body.
public final class BodyDamage {
    private BodyDamage() {}

    /// Changes one or two numbers.
    ///
    /// @param body position at its start, limit at its end
    public static void damage(ByteBuffer body, Random random) {
        ByteBuffer bytes = body.slice().order(ByteOrder.LITTLE_ENDIAN);
        for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
            edit(bytes, random);
        }
    }

    private static void edit(ByteBuffer bytes, Random random) {
        int at = random.nextInt(bytes.limit());
        int word = at & -Integer.BYTES;
        int number = random.nextBoolean() ? random.nextInt(-3, 20) : random.nextInt();
        switch (random.nextInt(5)) {
            case 0 -> bytes.put(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            case 1 -> bytes.put(at, (byte) random.nextInt());
            case 2 -> bytes.putInt(word, number);
            case 3 -> bytes.putInt(word, bytes.getInt(word) + random.nextInt(-2, 3));
            default -> bytes.putLong(at & -Long.BYTES, number);
        }
    }
}
