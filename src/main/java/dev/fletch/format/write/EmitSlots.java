// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

/// An order of slots in one number: four bits each, the first slot in the lowest ones.
///
/// ```java
/// for (long order = …; EmitSlots.more(order); order = EmitSlots.rest(order)) {
///     int slot = EmitSlots.first(order);
/// ```
final class EmitSlots {
    private static final int BITS = 4;
    private static final int END = 0xF;
    private static final int COUNT = 8;

    private EmitSlots() {}

    static boolean more(long order) {
        return first(order) != END;
    }

    static int first(long order) {
        return (int) order & END;
    }

    static long rest(long order) {
        return order >> BITS; // what comes in from above is ones, which is the end
    }

    /// Returns the order of these slots.
    static long of(int... slots) {
        long order = -1;
        for (int i = slots.length - 1; i >= 0; i--) {
            order = order << BITS | slots[i];
        }
        return order;
    }

    /// Returns the order of declaration.
    ///
    /// @param sizes the fields' sizes in bytes, slot 0 in the lowest byte
    static long declared(long sizes) {
        long order = -1;
        for (int slot = COUNT - 1; slot >= 0; slot--) {
            if (size(sizes, slot) != 0) {
                order = order << BITS | slot;
            }
        }
        return order;
    }

    /// Returns the order of flatc: by size, and inside a size the highest slot first. A struct goes
    /// with the offsets.
    ///
    /// @param sizes the fields' sizes in bytes, slot 0 in the lowest byte
    static long bySize(long sizes) {
        long order = -1;
        for (int size = Byte.BYTES; size <= Long.BYTES; size <<= 1) {
            for (int slot = 0; slot < COUNT; slot++) {
                final int own = size(sizes, slot);
                if (own == size || own > Long.BYTES && size == Integer.BYTES) {
                    order = order << BITS | slot;
                }
            }
        }
        return order;
    }

    private static int size(long sizes, int slot) {
        return (int) (sizes >>> slot * Byte.SIZE) & 0xFF;
    }
}
