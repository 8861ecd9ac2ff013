// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

/// What a [FlatBufferWriter] is in the middle of. Plain numbers: storing a reference costs a barrier,
/// and the state changes with every object.
final class WriterState {
    static final int IDLE = 0;
    static final int TABLE = 1;
    static final int STRUCT = 2;
    static final int VECTOR = 3;
    static final int FINISHED = 4;
    static final int FAILED = 5;

    private WriterState() {}

    static String description(int state) {
        return switch (state) {
            case IDLE -> "with nothing open";
            case TABLE -> "while a table is open";
            case STRUCT -> "while a struct is open";
            case VECTOR -> "while a vector is open";
            case FINISHED -> "after the buffer was finished: call reset or wrap first";
            default -> "after writing has failed: call reset or wrap first";
        };
    }
}
