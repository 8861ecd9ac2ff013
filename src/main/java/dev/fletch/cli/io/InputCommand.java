// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;

import java.io.IOException;

/// A command that prints something about the messages of each input, up to the first fault.
public abstract class InputCommand extends FilesCommand {
    // With several inputs, they share known schemas.
    private ReadOptions options;

    /// Prints one input. Called by several threads, each for another input.
    ///
    /// @throws FlatBufferFormatException if its metadata breaks the format
    /// @throws InvalidInput if the input is invalid
    protected abstract void show(String name, Input input, InputOutput out) throws IOException;

    /// Whether each input, also an invalid one, gets a JSON object.
    protected boolean answersInJson() {
        return false;
    }

    @Override
    public Integer call() throws IOException {
        options =
                hasSeveral()
                        ? ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas())
                        : ReadOptions.DEFAULT;
        return super.call();
    }

    @Override
    protected final int show(String name, InputBytes bytes, InputOutput out) throws IOException {
        Input input = null;
        try {
            input = Input.of(bytes, options);
            show(name, input, out);
            return 0;
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            InvalidInput fault = InvalidInput.of(e, input);
            if (fault != null && answersInJson() && out.isEmpty()) {
                fault(name, fault, out);
            }
            throw fault == null ? e : fault;
        } finally {
            if (input != null) {
                input.close();
            }
        }
    }

    /// Prints an object with only the fault.
    private static void fault(String name, InvalidInput fault, InputOutput out) throws IOException {
        try (JsonGenerator json = JsonOutput.object(name, out)) {
            JsonOutput.fault(json, fault);
        } catch (OutputClosed e) {
            throw e.after(Failures.INVALID);
        }
    }
}
