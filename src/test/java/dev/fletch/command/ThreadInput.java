// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/// Standard input of the calling thread and of those that it starts: tests that run at the same
/// time have one each.
public final class ThreadInput extends InputStream {
    private static final InputStream PROCESS = System.in;
    private static final InheritableThreadLocal<InputStream> OWN = new InheritableThreadLocal<>();

    static {
        System.setIn(new ThreadInput());
    }

    private ThreadInput() {}

    /// Returns what a task returns that has `input` as its standard input.
    public static <T> T with(InputStream input, Supplier<T> task) {
        InputStream before = OWN.get();
        OWN.set(input);
        try {
            return task.get();
        } finally {
            OWN.set(before);
        }
    }

    private static InputStream own() {
        InputStream own = OWN.get();
        return own == null ? PROCESS : own;
    }

    @Override
    public int read() throws IOException {
        return own().read();
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        return own().read(into, from, count);
    }

    @Override
    public int available() throws IOException {
        return own().available();
    }

    @Override
    public void close() throws IOException {
        own().close();
    }
}
