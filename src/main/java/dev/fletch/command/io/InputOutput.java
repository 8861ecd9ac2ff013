// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.input.InputFile;
import dev.fletch.ipc.internal.Work;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/// A buffer for the output about one input, until it is the input's turn: see [OrderedOutput]. Used
/// only by the thread that processes the input, and by [OrderedOutput].
public final class InputOutput extends PrintWriter {
    private static final int PIECE_CHARS = 8 << 10;

    final InputFile file;

    /// Processes the input.
    final FutureTask<Void> task;

    private final OrderedOutput ordered;
    private final StringBuffer text;
    private final List<Consumer<PrintWriter>> before = new ArrayList<>();
    private final List<Runnable> last = new ArrayList<>();
    private boolean isEmpty = true;

    /// Characters of the text that are counted for the limit of all texts.
    int counted;

    /// @param show processes the input
    InputOutput(InputFile file, OrderedOutput ordered, Consumer<InputOutput> show) {
        super(new StringWriter());
        this.file = file;
        this.ordered = ordered;
        this.text = ((StringWriter) out).getBuffer();
        this.task = new FutureTask<>(() -> process(show), null);
    }

    private void process(Consumer<InputOutput> show) {
        Work.watched(
                this::reached,
                () -> {
                    show.accept(this);
                    return null;
                });
    }

    private void reached(long done, long total) {
        if (ordered.hasTurn(this)) {
            Progress.MONITOR.reached(done, total);
        }
    }

    /// Adds an action to run once in the input's turn, before its next text is printed.
    public void before(Consumer<PrintWriter> action) {
        before.add(action);
    }

    /// Adds an action to run in the input's turn, after its text is printed.
    public void atEnd(Runnable action) {
        last.add(action);
    }

    /// Adds an action like [#atEnd], and removes those before it: the input has failed.
    void atFailure(Runnable action) {
        last.clear();
        last.add(action);
    }

    /// Whether nothing has been written.
    public boolean isEmpty() {
        return isEmpty && text.isEmpty();
    }

    @Override
    public void write(int c) {
        super.write(c);
        passPiece();
    }

    @Override
    public void write(char[] chars, int from, int count) {
        super.write(chars, from, count);
        passPiece();
    }

    @Override
    public void write(String chars, int from, int count) {
        super.write(chars, from, count);
        passPiece();
    }

    private void passPiece() {
        if (text.length() - counted >= PIECE_CHARS) {
            ordered.pass(this);
        }
    }

    /// Prints the text so far if it is the input's turn.
    @Override
    public void flush() {
        ordered.flush(this);
    }

    /// Waits for the input's turn, before it opens a pipe: two inputs may be the same pipe, and a
    /// writer may feed a pipe only after the preceding input was read.
    void waitForTurn() {
        ordered.waitForTurn(this);
    }

    // ---- for OrderedOutput

    /// Counts the text for the limit of all texts. Returns the characters since the last call.
    int count() {
        int more = text.length() - counted;
        counted += more;
        return more;
    }

    /// Prints the text. Called in the input's turn.
    void writeTo(PrintWriter output) {
        if (!text.isEmpty()) {
            isEmpty = false;
            before.forEach(each -> each.accept(output));
            before.clear();
            output.write(text.toString());
            text.setLength(0);
            counted = 0;
        }
    }

    /// Runs the actions of [#atEnd].
    void end() {
        last.forEach(Runnable::run);
    }
}
