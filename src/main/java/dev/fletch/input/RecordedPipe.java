// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// A pipe that keeps the bytes read since [#record], so that they can be read again after damage.
public final class RecordedPipe extends InputStream {
    private static final int PIECE_BYTES = 64 << 10;

    private final InputStream in;
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private boolean records;

    public RecordedPipe(InputStream in) {
        this.in = in;
    }

    /// Forgets the recorded bytes, and begins or ends recording.
    public void record(boolean on) {
        recorded.reset();
        records = on;
    }

    /// The bytes read since [#record].
    public byte[] recorded() {
        return recorded.toByteArray();
    }

    /// Reads zeros.
    ///
    /// @param most the most bytes to read
    /// @return whether only zeros were read, up to the limit or the end
    public boolean readZeros(long most) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long left = most;
        for (int read = read(piece, 0, PIECE_BYTES);
                read >= 0;
                read = left > 0 ? read(piece, 0, PIECE_BYTES) : -1) {
            for (int i = 0; i < read; i++) {
                if (piece[i] != 0) {
                    return false;
                }
            }
            left -= read;
        }
        return true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        int read = in.read(into, at, length);
        if (records && read > 0) {
            recorded.write(into, at, read);
        }
        return read;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }
}
