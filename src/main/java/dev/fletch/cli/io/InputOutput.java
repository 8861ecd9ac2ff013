// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFile;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;

/// What a command prints about one input. It is kept here until it is the input's turn: see [Turns].
/// Belongs to the thread that works on the input.
public final class InputOutput extends PrintWriter implements InputBytes.Watcher {
    private static final int PIECE_CHARS = 8 << 10;

    private final InputFile file;
    private final Turns turns;
    private final Thread worker = Thread.currentThread();
    private final StringBuffer text;
    private Consumer<PrintWriter> before = _ -> {};
    private Runnable last = () -> {};
    private boolean isEmpty = true;
    // Of the text, what counts for the limit of all texts.
    private int counted;
    private int status;
    private Throwable failure;
    private boolean isComplete;

    InputOutput(InputFile file, Turns turns) {
        super(new StringWriter());
        this.file = file;
        this.turns = turns;
        this.text = ((StringWriter) out).getBuffer();
    }

    /// Sets what is to be done in the input's turn, before its first text is printed.
    public void before(Consumer<PrintWriter> action) {
        before = action;
    }

    /// Sets what is to be done in the input's turn, when it has ended without a failure.
    public void atEnd(Runnable action) {
        last = action;
    }

    /// Whether nothing was written about the input.
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
            turns.pass(this);
        }
    }

    /// Shows what was written so far, if it is the input's turn.
    @Override
    public void flush() {
        turns.flush(this);
    }

    @Override
    public void reached(long done, long all) {
        Progress.reached(done, all);
    }

    /// Waits for the input's turn: two inputs may be the same pipe, and a pipe may be fed only after the
    /// input before it was read.
    @Override
    public void opensPipe() {
        turns.waitForTurn(this);
    }

    // ---- for the turns

    InputFile file() {
        return file;
    }

    Thread worker() {
        return worker;
    }

    /// Counts the text for the limit of all texts.
    ///
    /// @return how much there is more than the last time
    int count() {
        int more = text.length() - counted;
        counted += more;
        return more;
    }

    int counted() {
        return counted;
    }

    /// Passes on the text, in the input's turn.
    void writeTo(PrintWriter output) {
        if (!text.isEmpty()) {
            if (isEmpty) {
                before.accept(output);
            }
            isEmpty = false;
            output.write(text.toString());
            text.setLength(0);
            counted = 0;
        }
    }

    /// Sets the result.
    ///
    /// @param worst the exit status, unless there is a failure
    /// @param reason why the input could not be shown as a whole; null if it could
    void end(int worst, Throwable reason) {
        status = worst;
        failure = reason;
    }

    /// Does what is to be done at the end.
    void finish() {
        last.run();
    }

    int status() {
        return status;
    }

    Throwable failure() {
        return failure;
    }

    void complete() {
        isComplete = true;
    }

    boolean isComplete() {
        return isComplete;
    }
}
