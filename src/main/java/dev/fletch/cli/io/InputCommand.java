// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;

import java.io.IOException;
import java.io.PrintWriter;

/// A command that prints something about the messages of each input, up to the first fault.
public abstract class InputCommand extends FilesCommand {
    // With several inputs, they share known schemas.
    private ReadOptions options;

    /// Prints one input. Called by several threads, each for another input.
    ///
    /// @throws FlatBufferFormatException if its metadata breaks the format
    /// @throws InvalidInput if the input is invalid
    protected abstract void show(String name, Input input, InputOutput out) throws IOException;

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
            throw fault == null ? e : fault;
        } finally {
            if (input != null) {
                input.close();
            }
        }
    }

    /// Reads the headers of the messages after the schema, so that [Input#fault] includes what is wrong there.
    /// Prints the output so far first if a pipe may end later.
    ///
    /// Reads nothing if the schema is not a message: in a footer, or a flatbuffer. Nor of a link, where each
    /// header may cost a request.
    public static void readOn(String name, Input input, PrintWriter out) throws IOException {
        if (input.hasSchemaApart() || Links.isLink(name)) {
            return;
        }
        if (input.memory() == null) {
            out.flush();
        }
        while (input.next()) {}
    }
}
