// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A pipe that keeps the bytes read since [#record], so that they can be read again after damage.
public final class RecordedPipe extends InputStream {
    private static final int PIECE_BYTES = 64 << 10;

    private final InputStream in;
    // Pieces as they were read: no growing array holds them twice.
    private final List<byte[]> recorded = new ArrayList<>();
    private boolean records;

    public RecordedPipe(InputStream in) {
        this.in = in;
    }

    /// Forgets the recorded bytes, and begins or ends recording.
    public void record(boolean on) {
        recorded.clear();
        records = on;
    }

    /// The bytes read since [#record], in pieces.
    public List<byte[]> recorded() {
        return recorded;
    }

    /// Number of the bytes read since [#record].
    public long recordedBytes() {
        return recorded.stream().mapToLong(each -> each.length).sum();
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
            recorded.add(Arrays.copyOfRange(into, at, at + read));
        }
        return read;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }
}
