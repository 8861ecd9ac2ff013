// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.verify.VerifierEngine;
import dev.fletch.format.rules.ArrowRules;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Tells whether bytes are a well-formed FlatBuffer of one of Arrow's roots, before you read
/// them.
///
/// Decisions are those of the official verifier, `flatbuffers::Verifier`, with the limits and the
/// stricter checks that [VerifierOptions] name. What is accepted can be read: no accessor of any
/// flyweight, over the whole tree, throws or leads out of the range.
///
/// **A verdict holds for the bytes as they were.** It is void once the bytes change: by another thread, by
/// another process that has the file open, or, where objects overlap, by a setter. If that can happen,
/// copy the bytes first.
///
/// Whether values make sense to Arrow is not checked: enum values, booleans, counts that belong
/// together. For that there is `dev.fletch.semantics.SemanticVerifier`.
///
/// **Work** is proportional to the buffer's size under a limit of tables per byte, stricter checks
/// included, and depth costs no Java stack. After the constructor nothing is allocated but what
/// [VerifierEngine] names, which is kept for the next time.
///
/// **Threads.** It belongs to one thread at a time, and can be used again and again. [#fault()]
/// belongs to it and shows the last verdict.
///
/// Source: the roots of `format/*.fbs` by the rules of [ArrowRules].
public final class Verifier {
    /// What a buffer may hold.
    public enum Root {
        /// A [dev.fletch.format.Message].
        MESSAGE("Message"),
        /// A [dev.fletch.format.Footer].
        FOOTER("Footer"),
        /// A [dev.fletch.format.Schema].
        SCHEMA("Schema"),
        /// A [dev.fletch.format.Tensor].
        TENSOR("Tensor"),
        /// A [dev.fletch.format.SparseTensor].
        SPARSE_TENSOR("SparseTensor");

        private final String table;
        private final int kind;

        Root(String table) {
            this.table = table;
            this.kind = ArrowRules.SET.kind(table);
        }

        /// {@return the table's name in `format/*.fbs`}
        public String table() {
            return table;
        }
    }

    private static final int FIELD = ArrowRules.SET.kind("Field");
    private static final int KEY_VALUE = ArrowRules.SET.kind("KeyValue");

    private final VerifierEngine engine;

    // Shapes of the messages that were accepted, and what buffers are compared through.
    private final MessageShapes shapes = new MessageShapes();
    private final Message probe = new Message();
    private boolean isRecognized;

    /// Creates a verifier with [VerifierOptions#ARROW_CPP].
    public Verifier() {
        this(VerifierOptions.ARROW_CPP);
    }

    /// Creates a verifier.
    ///
    /// @param options its limits and checks
    public Verifier(VerifierOptions options) {
        engine = new VerifierEngine(ArrowRules.SET, options);
    }

    /// {@return its limits and checks}
    public VerifierOptions options() {
        return engine.options();
    }

    // ---- whole buffers

    /// Verifies a buffer that fills a segment.
    ///
    /// @param root what it holds
    /// @param buffer the whole buffer
    /// @return whether it is right; if not, [#fault()] tells why
    public boolean verify(Root root, MemorySegment buffer) {
        return verify(root, buffer, 0, buffer.byteSize());
    }

    /// Verifies a buffer that is a part of a segment. Alignment counts from its first byte.
    ///
    /// @param root what it holds
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public boolean verify(Root root, MemorySegment memory, long offset, long length) {
        try {
            if (root != Root.MESSAGE) {
                return engine().verify(root.kind, memory, offset, length);
            }
            if (probe.wrapKnown(shapes, memory, offset, length)) {
                return accept();
            }
            if (!engine().verify(root.kind, memory, offset, length)) {
                return false;
            }
            learn(probe);
            return true;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a buffer between position and limit, which stay as they are; the byte order of
    /// `buffer` plays no part.
    ///
    /// @param root what it holds
    /// @param buffer any kind of buffer; positions of faults count from its index 0
    /// @return whether it is right; if not, [#fault()] tells why
    public boolean verify(Root root, ByteBuffer buffer) {
        try {
            if (root != Root.MESSAGE) {
                return engine().verify(root.kind, buffer);
            }
            if (probe.wrapKnown(shapes, buffer)) {
                return accept();
            }
            if (!engine().verify(root.kind, buffer)) {
                return false;
            }
            learn(probe);
            return true;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a [Message] that is a part of a segment, and binds a flyweight to it. One with the
    /// shape of a message that was accepted before is verified and bound in one step: by comparing
    /// the bytes that decide.
    ///
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @param into bound to the message if it is right; else bound to nothing
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public boolean message(MemorySegment memory, long offset, long length, Message into) {
        try {
            return into.wrapKnown(shapes, memory, offset, length)
                    ? accept()
                    : messageAnew(memory, offset, length, into);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private boolean accept() {
        isRecognized = true;
        return true;
    }

    /// What the engine says is of an earlier call if the last message was recognized.
    private VerifierEngine engine() {
        if (isRecognized) {
            engine.accept(shapes.last().bytes.tables());
            isRecognized = false;
        }
        return engine;
    }

    private boolean messageAnew(MemorySegment memory, long offset, long length, Message into) {
        if (!engine().verify(Root.MESSAGE.kind, memory, offset, length)) {
            return false;
        }
        into.decodeAnew(memory, offset, length);
        if (into.hasBatch()) {
            learn(into);
        }
        return true;
    }

    /// Learns the shape of a message that was accepted: of a copy, which is verified again, since the
    /// bytes may have been changed meanwhile.
    private void learn(Message accepted) {
        if (!engine.decidesByShape() || !shapes.isWanted()) {
            return;
        }
        final byte[] copy = accepted.copyOfBuffer();
        final long tables = engine.tablesVisited();
        if (copy == null
                || !engine.verify(Root.MESSAGE.kind, MemorySegment.ofArray(copy), 0, copy.length)) {
            engine.accept(tables); // the verdict is that of the message
            shapes.add(null);
            return;
        }
        final MessageShape shape = MessageShape.of(copy);
        final boolean hasUncheckedText =
                shape != null
                        && shape.bytes.hasStrings()
                        && options().checks(VerifierOptions.Check.UTF8);
        shapes.add(hasUncheckedText ? null : shape);
    }

    // ---- all faults

    /// Looks for all faults of a buffer: goes on after each, leaving out what is wrong and what
    /// lies below it.
    ///
    /// @param root what it holds
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @param sink takes the faults; each is valid during the call only
    /// @param maxFaults how many it takes at most
    /// @return how many faults there are, `maxFaults` + 1 if there are more than that
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    /// @throws NullPointerException if there is no sink
    /// @throws IllegalArgumentException if `maxFaults` is negative
    public int findFaults(
            Root root,
            MemorySegment memory,
            long offset,
            long length,
            FaultSink sink,
            int maxFaults) {
        checkSink(sink, maxFaults);
        engine().setSink(sink, maxFaults);
        try {
            engine().verify(root.kind, memory, offset, length);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        } finally {
            engine().setSink(null, 0);
        }
        return engine().faultCount();
    }

    /// Looks for all faults of a buffer between position and limit.
    ///
    /// @param root what it holds
    /// @param buffer any kind of buffer
    /// @param sink takes the faults; each is valid during the call only
    /// @param maxFaults how many it takes at most
    /// @return how many faults there are, `maxFaults` + 1 if there are more than that
    /// @throws NullPointerException if there is no sink
    /// @throws IllegalArgumentException if `maxFaults` is negative
    public int findFaults(Root root, ByteBuffer buffer, FaultSink sink, int maxFaults) {
        checkSink(sink, maxFaults);
        engine().setSink(sink, maxFaults);
        try {
            engine().verify(root.kind, buffer);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        } finally {
            engine().setSink(null, 0);
        }
        return engine().faultCount();
    }

    private static void checkSink(FaultSink sink, int maxFaults) {
        Objects.requireNonNull(sink, "sink");
        if (maxFaults < 0) {
            throw new IllegalArgumentException("limit is negative: maxFaults=" + maxFaults);
        }
    }

    // ---- only what is touched

    /// Verifies a buffer without the elements of its vectors of tables: the root and the single tables
    /// below it, such as a footer's schema, with their numbers, strings and vectors of numbers; of
    /// vectors of tables only the place and the count. For buffers with very many columns of which few
    /// are read; verify the elements with [#field] and [#keyValue] when they are touched.
    ///
    /// @param root what it holds
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @return whether it is right so far; if not, [#fault()] tells why
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    public boolean verifyShallow(Root root, MemorySegment memory, long offset, long length) {
        engine().setShallow(true);
        try {
            return engine.verify(root.kind, memory, offset, length);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        } finally {
            engine().setShallow(false);
        }
    }

    /// [#verifyShallow(Root, MemorySegment, long, long)] between position and limit.
    ///
    /// @param root what it holds
    /// @param buffer any kind of buffer
    /// @return whether it is right so far; if not, [#fault()] tells why
    public boolean verifyShallow(Root root, ByteBuffer buffer) {
        engine().setShallow(true);
        try {
            return engine.verify(root.kind, buffer);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        } finally {
            engine().setShallow(false);
        }
    }

    /// Verifies a field with its type, dictionary, children and metadata. Limits and path count
    /// from this field on. Binding it first reads bytes that are not verified yet, and so may throw a
    /// [dev.fletch.FlatBufferFormatException].
    ///
    /// @param bound the field, bound through its schema or parent
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IllegalStateException if `bound` is not bound, or out of date
    public boolean field(Field bound) {
        try {
            return engine().verify(FIELD, bound.memory(), bound.position());
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a key/value pair, as [#field] does a field.
    ///
    /// @param bound the pair, bound through what has it
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IllegalStateException if `bound` is not bound, or out of date
    public boolean keyValue(KeyValue bound) {
        try {
            return engine().verify(KEY_VALUE, bound.memory(), bound.position());
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    // ---- what was found

    /// {@return the fault that the last call found, or an empty one: see [Fault#isPresent()]. It
    /// changes with the next call. After [#findFaults] there is none, as the sink has taken them}
    public Fault fault() {
        return engine().fault();
    }

    /// {@return how many tables the last call reached; one that was reached twice counts twice}
    public long tablesVisited() {
        return engine().tablesVisited();
    }

    /// {@return how many bytes the last call looked at to tell whether strings are UTF-8}
    public long stringBytesRead() {
        return engine().stringBytesRead();
    }
}
