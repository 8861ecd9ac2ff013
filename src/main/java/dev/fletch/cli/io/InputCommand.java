// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/// A command that shows something of the messages of each input, up to the first fault.
public abstract class InputCommand extends FilesCommand {
    private boolean hasAnswer;

    protected InputCommand() {}

    /// Shows one input.
    ///
    /// @throws FlatBufferFormatException if its bytes break the format
    /// @throws InvalidInput for the same reason
    protected abstract void show(String name, Input input, PrintWriter out) throws IOException;

    /// Whether each input has a JSON object as its answer, also an invalid one.
    protected boolean answersInJson() {
        return false;
    }

    /// Begins the object that is the answer for this input.
    protected final JsonGenerator answer(String name, Writer out) throws IOException {
        hasAnswer = true;
        return Json.object(name, out);
    }

    @Override
    protected final int show(String name, InputBytes bytes, PrintWriter out) throws IOException {
        hasAnswer = false;
        Input input = null;
        try {
            input = Input.of(bytes);
            show(name, input, out);
            return 0;
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            InvalidInput fault = InvalidInput.of(e, input);
            if (fault != null && answersInJson() && !hasAnswer) {
                fault(name, fault, out);
            }
            throw fault == null ? e : fault;
        }
    }

    /// Prints an answer that has only the fault.
    private static void fault(String name, InvalidInput fault, PrintWriter out) throws IOException {
        try (JsonGenerator json = Json.object(name, out)) {
            Json.fault(json, fault);
            json.writeEndObject();
        } catch (OutputClosed e) {
            throw e.after(Failures.INVALID);
        }
        out.println();
    }
}
