// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.FlatBufferFormatException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/// A command that shows something of the messages of each input, up to the first fault.
public abstract class InputCommand extends FilesCommand {
    private boolean isAnswered;

    protected InputCommand() {}

    /// Shows one input.
    ///
    /// @throws FlatBufferFormatException if its bytes are not what the format says
    /// @throws InvalidInput for the same reason
    protected abstract void show(String name, Input input, PrintWriter out) throws IOException;

    /// Whether an input has an object as its answer, also where it is invalid.
    protected boolean answersInJson() {
        return false;
    }

    /// Begins the object that is the answer for this input.
    protected final JsonGenerator answer(String name, Writer out) throws IOException {
        isAnswered = true;
        return Json.object(name, out);
    }

    @Override
    protected final int show(String name, InputBytes bytes, PrintWriter out) throws IOException {
        isAnswered = false;
        try {
            shown(name, open(bytes), out);
            return 0;
        } catch (InvalidInput e) {
            if (answersInJson() && !isAnswered) {
                fault(name, e, out);
            }
            throw e;
        }
    }

    private void shown(String name, Input input, PrintWriter out) throws IOException {
        try {
            show(name, input, out);
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            InvalidInput fault = InvalidInput.of(e, input);
            throw fault == null ? e : fault;
        }
    }

    /// The answer is what is wrong, and nothing that could be taken for the whole.
    private static void fault(String name, InvalidInput fault, PrintWriter out) throws IOException {
        try (JsonGenerator json = Json.object(name, out)) {
            Json.fault(json, fault);
            json.writeEndObject();
        } catch (OutputClosed e) {
            throw e.after(Failures.INVALID);
        }
        out.println();
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
