// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A pipe that keeps the bytes read since [#record], so that they can be read again after damage.
public final class RecordedPipe extends InputStream {
    private final InputStream in;
    // The bytes read since `record`, in pieces as they were read: no growing array holds them
    // twice.
    final List<byte[]> recorded = new ArrayList<>();
    private boolean records;
    private long count;

    public RecordedPipe(InputStream in) {
        this.in = in;
    }

    /// Forgets the recorded bytes, and begins or ends recording.
    public void record(boolean on) {
        recorded.clear();
        records = on;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int position, int length) throws IOException {
        int read = in.read(into, position, length);
        count += Math.max(read, 0);
        if (records && read > 0) {
            recorded.add(Arrays.copyOfRange(into, position, position + read));
        }
        return read;
    }

    /// {@return number of bytes that were read}
    public long count() {
        return count;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }
}
