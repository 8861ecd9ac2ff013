// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Need;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A command that prints something about the messages of each input, up to the first fault.
public abstract class InputCommand extends FilesCommand {
    private static final String SCHEMA_ALONE =
            "; schema, ext, json, diff, verify and annotate read it";

    @Option(
            names = "--all-streams",
            description = {
                "Read all streams of an input that has several in a",
                "row, each with its schema. Without it, only the first."
            })
    private boolean allStreams;

    // With several inputs, they share known schemas.
    private ReadOptions options;

    /// Prints one input. Called by several threads, each for another input.
    ///
    /// @return what is wrong with the input; null if nothing is
    protected abstract Fault show(String name, Input input, InputOutput out) throws IOException;

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
        Fault fault = null;
        List<String> notes = new ArrayList<>();
        try (Input first = opened(bytes)) {
            for (Input input = first;
                    input != null;
                    input = allStreams ? input.following() : null) {
                Fault found = fault(name, input, out);
                if (allStreams) {
                    readOn(input, out); // to find the next stream
                }
                if (found != null) {
                    fault = fault == null ? found : fault.and(found);
                }
                addNotes(input, fault == null, notes);
            }
        }
        if (fault != null) {
            String more = notes.stream().map("; "::concat).collect(Collectors.joining());
            throw FletchException.inInput(fault.followedBy(more));
        }
        String title = InputBytes.title(name);
        notes.forEach(each -> out.atEnd(() -> Failures.note(title, each, err())));
        return 0;
    }

    private Input opened(InputBytes bytes) throws IOException {
        try {
            Input input = Input.of(bytes, options);
            input.hintAtSchema(SCHEMA_ALONE);
            return input;
        } catch (RuntimeException e) {
            throw FletchException.inInput(InputFaults.required(e, null), e);
        }
    }

    /// Prints one stream, and returns its fault: null if there is none.
    private Fault fault(String name, Input input, InputOutput out) throws IOException {
        try {
            return show(name, input, out);
        } catch (RuntimeException e) {
            return InputFaults.required(e, input);
        }
    }

    /// Adds what follows the end of a stream.
    private void addNotes(Input input, boolean isSound, List<String> notes) throws IOException {
        String behind = input.behindMarker();
        if (!behind.isEmpty()) {
            notes.add(Input.BEHIND_MARKER + behind);
        }
        if (!allStreams && input.nextStream() >= 0) {
            String hint = isSound ? "; --all-streams reads it" : "";
            notes.add("another stream follows: offset=" + input.nextStream() + hint);
        }
    }

    /// Whether all streams of an input are read.
    protected final boolean readsAllStreams() {
        return allStreams;
    }

    /// The parts of a remote input to read for a command that shows only schemas.
    protected final Need schemaNeed() {
        return allStreams ? Need.HEADERS : Need.SCHEMA;
    }

    /// The title of a stream: the input's name and, unless the stream is the first, where it
    /// begins.
    protected static String title(String name, Input input) {
        String title = InputBytes.title(name);
        return input.isFollowing() ? title + ", stream at offset " + input.start() : title;
    }

    /// Prints the title of a stream above its lines if there may be several inputs or streams.
    protected final void heading(String name, Input input, InputOutput out) {
        if (hasSeveral() || allStreams) {
            titled(title(name, input), out);
        }
    }

    /// Reads the headers of the messages after the schema, so that [Input#fault] includes what is
    /// wrong there. Prints the output so far first if a pipe may end later.
    ///
    /// Reads nothing if the schema is not a message: in a footer, or a flatbuffer. Nor of a link,
    /// where each header may cost a request.
    public static void readOn(Input input, PrintWriter out) throws IOException {
        if (input.hasSchemaApart() || !input.bytes().hasHeaders()) {
            return;
        }
        if (input.memory() == null) {
            out.flush();
        }
        while (input.next()) {}
    }
}
