// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// A file that comes through a pipe; remembers how long it was and how it ended.
///
/// ```text
///   … footer   i32 footer's length   "ARROW1"
/// ```
final class FileTail extends InputStream {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL_BYTES = Integer.BYTES + MAGIC.length;

    private final InputStream source;
    // The last bytes so far; the one of offset n at n modulo the length.
    private final byte[] last = new byte[TAIL_BYTES];
    private long length;

    /// @param lead bytes of the file that were read before
    FileTail(InputStream source, long lead) {
        this.source = source;
        this.length = lead;
    }

    @Override
    public int read() throws IOException {
        int b = source.read();
        if (b >= 0) {
            append((byte) b);
        }
        return b;
    }

    @Override
    public int read(byte[] into, int at, int count) throws IOException {
        int n = source.read(into, at, count);
        if (n > TAIL_BYTES) {
            length += n - TAIL_BYTES;
        }
        for (int i = Math.max(0, n - TAIL_BYTES); i < n; i++) {
            append(into[at + i]);
        }
        return n;
    }

    private void append(byte b) {
        last[(int) (length % TAIL_BYTES)] = b;
        length++;
    }

    @Override
    public int available() throws IOException {
        return source.available();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    /// Reads what is left.
    void drain() throws IOException {
        transferTo(OutputStream.nullOutputStream());
    }

    /// Bytes of the file so far.
    long length() {
        return length;
    }

    /// Whether it ends as a file does.
    boolean hasMagic() {
        for (int i = 0; i < MAGIC.length; i++) {
            if (tail(Integer.BYTES + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    int footerLength() {
        return tail(0) & 0xFF
                | (tail(1) & 0xFF) << 8
                | (tail(2) & 0xFF) << 16
                | (tail(3) & 0xFF) << 24;
    }

    long footerOffset() {
        return length - TAIL_BYTES - footerLength();
    }

    /// One of the last bytes, counted from the footer's length.
    private byte tail(int index) {
        return last[(int) ((length - TAIL_BYTES + index) % TAIL_BYTES)];
    }
}
