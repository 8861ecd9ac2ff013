// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.flatbuf.FlatBufferFormatException;

import java.io.IOException;
import java.io.PrintWriter;

/// A command that shows something of the messages of each input, up to the first fault.
abstract class InputCommand extends FilesCommand {
    InputCommand() {}

    /// Shows one input.
    ///
    /// @throws FlatBufferFormatException if its bytes are not what the format says
    /// @throws InvalidInput for the same reason
    abstract void show(String name, Input input, PrintWriter out) throws IOException;

    @Override
    final int show(String name, InputBytes bytes, PrintWriter out) throws IOException {
        Input input = open(bytes);
        try {
            show(name, input, out);
            return 0;
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            InvalidInput fault = InvalidInput.of(e, input);
            throw fault == null ? e : fault;
        }
    }

    /// Before there is an input, a fault's position is that of the bytes it was found in.
    private static Input open(InputBytes bytes) throws IOException {
        try {
            return Input.of(bytes);
        } catch (FlatBufferFormatException e) {
            throw InvalidInput.of(e);
        }
    }
}
