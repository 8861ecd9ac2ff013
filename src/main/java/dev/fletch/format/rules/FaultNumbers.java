// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

/// Up to three numbers that explain a fault, such as `offset=64, length=128, body=100`. Reused;
/// only [#toString] allocates.
public final class FaultNumbers {
    private static final int MOST = 3;

    private final String[] names = new String[MOST];
    private final long[] numbers = new long[MOST];
    private int count;

    public FaultNumbers clear() {
        count = 0;
        return this;
    }

    public FaultNumbers add(String name, long number) {
        names[count] = name;
        numbers[count++] = number;
        return this;
    }

    public void copy(FaultNumbers other) {
        count = other.count;
        System.arraycopy(other.names, 0, names, 0, count);
        System.arraycopy(other.numbers, 0, numbers, 0, count);
    }

    /// {@return the numbers as text; empty if there are none}
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(names[i]).append('=').append(numbers[i]);
        }
        return text.toString();
    }
}
