// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.UnreadableFileException;
import dev.fletch.events.Events;
import dev.fletch.events.UnrecognizedReason;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Verifies that bytes are a well-formed FlatBuffer of one of Arrow's root tables.
///
/// It decides as the official verifier, `flatbuffers::Verifier`, with the limits and stricter
/// checks of [Checks]. Accepted bytes can be read: no accessor of any flyweight, over the
/// complete tree, throws or reads outside the range. All methods throw an [UnreadableFileException]
/// if a mapped file cannot be read.
///
/// **A result is valid for the bytes at the time of verification.** It is void after the bytes
/// change: by another thread, by another process with the file open, or, if objects overlap, by a
/// setter. If they change during a call, the call may accept or reject them, or throw a
/// [dev.fletch.FletchException] or an [IndexOutOfBoundsException]; it reads nothing
/// outside the range, and the next call is not affected. If that can happen, copy the bytes first.
///
/// **Results.** A method returns whether the buffer is valid; otherwise [#fault()] has the fault.
/// `offset` and `length` are in bytes; a range that is not inside `memory` throws an
/// [IndexOutOfBoundsException].
///
/// Arrow's rules for values are not checked: enum values, booleans, matching counts. For these, use
/// `dev.fletch.arrow.Arrow#verify`.
///
/// **Work** is proportional to the buffer's size if there is a limit of tables per byte, stricter
/// checks included. Depth uses no Java stack. After the constructor, only the memory described in
/// [VerifierEngine] is allocated, and then reused. [#message] and [#batch] also allocate when they
/// learn the shape of batch messages: a copy of the metadata and about 1 kB, at most once for 256
/// messages without the last shape, apart from the first four.
///
/// **Threads.** A reusable verifier for one thread at a time. [#fault()] belongs to it and shows
/// the last result.
///
/// Source: the roots of `format/*.fbs` by the rules of [ArrowRules].
public final class Verifier {
    /// The root table of a buffer.
    public enum Root {
        MESSAGE("Message"),
        FOOTER("Footer"),
        SCHEMA("Schema"),
        TENSOR("Tensor"),
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
    private final boolean passesBatches;

    // Created for the first batch message.
    private BatchPass batches;

    /// Creates a verifier with [Checks#DEFAULT].
    public Verifier() {
        this(Checks.DEFAULT);
    }

    /// Creates a verifier.
    public Verifier(Checks options) {
        engine = new VerifierEngine(ArrowRules.SET, options);
        passesBatches = options.limits().depth() >= MessageParts.DEPTH;
    }

    /// {@return limits and checks}
    public Checks options() {
        return engine.options();
    }

    // ---- complete buffers

    /// Verifies a buffer that fills a segment.
    public boolean verify(Root root, MemorySegment buffer) {
        return verify(root, buffer, 0, buffer.byteSize());
    }

    /// Verifies a buffer in a part of a segment. Alignment counts from its first byte.
    public boolean verify(Root root, MemorySegment memory, long offset, long length) {
        try {
            return engine.verify(root.kind, memory, offset, length);
        } catch (InternalError e) { // as all below: it may come after the engine's method has ended
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies the bytes between a buffer's position and limit, which do not change. The byte
    /// order of `buffer` is ignored.
    ///
    /// @param buffer any kind of buffer; positions of faults count from its index 0
    public boolean verify(Root root, ByteBuffer buffer) {
        try {
            return engine.verify(root.kind, buffer);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a [Message] in a part of a segment, and binds a flyweight to it: a batch message in
    /// a single step.
    ///
    /// @param into bound to the message if it is valid; otherwise not bound
    /// @throws dev.fletch.FletchException if the bytes change between verifying and
    ///     binding
    public boolean message(MemorySegment memory, long offset, long length, Message into) {
        try {
            if (passesBatches && into.wrapBatch(batches(), memory, offset, length)) {
                accept(into, length);
                return true;
            }
            if (!engine.verify(Root.MESSAGE.kind, memory, offset, length)) {
                return false;
            }
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
        into.wrap(memory, offset, length);
        reportUnusual(into, length);
        return true;
    }

    /// Reports a valid batch that [BatchPass] does not know, such as one with other alignment.
    private static void reportUnusual(Message message, long length) {
        int type = message.headerType();
        if (Events.recordsUnrecognized()
                && (type == MessageHeader.RECORD_BATCH || type == MessageHeader.DICTIONARY_BATCH)) {
            String kind = MessageHeader.NAMES.name(type);
            Events.notRecognized(kind, UnrecognizedReason.NOT_LEARNABLE, length);
        }
    }

    /// [#message] for an encapsulated batch message: the fastest case, for streams. Nothing else is
    /// tried, and [#fault] stays as it is.
    ///
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the prefix; may be outside of `memory`
    /// @param end byte offset after the input, at most the size of `memory`
    /// @param into bound to the message if the result is not 0. Otherwise unchanged if the input
    ///     has no prefix with complete metadata at the offset, or else not bound
    /// @return length of the metadata in bytes; 0 if there is no such message, or if it is not
    ///     known to be valid: [#message] then decides
    public int batch(MemorySegment memory, long offset, long end, Message into) {
        try {
            int length = batches == null ? 0 : into.wrapIfLikeLast(batches, memory, offset, end);
            if (length != 0) {
                engine.accept(into.parts().tables);
                return length;
            }
            return passesBatches ? otherBatch(memory, offset, end, into, 2) : 0;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// [#batch] without the shape of the last ones.
    ///
    /// Kept apart by recursion, see [dev.fletch.wire]: otherwise all numbers of 1,000 columns took
    /// 17 µs instead of 1.
    private int otherBatch(MemorySegment memory, long offset, long end, Message into, int detours) {
        if (detours != 0) {
            return otherBatch(memory, offset, end, into, detours - 1);
        }
        int length = into.wrapBatchAfterPrefix(batches(), memory, offset, end);
        if (length != 0) {
            accept(into, length);
        }
        return length;
    }

    private BatchPass batches() {
        if (batches == null) {
            batches = new BatchPass(engine.quick());
        }
        return batches;
    }

    private void accept(Message batch, long length) {
        MessageParts parts = batch.parts();
        if (parts.isFixed) {
            engine.accept(parts.tables);
            return;
        }
        engine.acceptQuickly();
        batches.learnOrCount(batch, length);
    }

    // ---- all faults

    /// Finds all faults of a buffer: continues after each fault, skipping the faulty part and all
    /// tables below it.
    ///
    /// @param sink receives the faults
    /// @param maxFaults maximum number of faults for the sink
    /// @return number of faults; `maxFaults` + 1 if there are more than `maxFaults`
    /// @throws NullPointerException if `sink` is null
    /// @throws IllegalArgumentException if `maxFaults` is negative
    public int findFaults(
            Root root,
            MemorySegment memory,
            long offset,
            long length,
            FaultSink sink,
            int maxFaults) {
        Objects.requireNonNull(sink, "sink");
        if (maxFaults < 0) {
            throw new IllegalArgumentException("negative limit: maxFaults=" + maxFaults);
        }
        engine.setSink(sink, maxFaults);
        try {
            verify(root, memory, offset, length);
        } finally {
            engine.setSink(null, 0);
        }
        return engine.faultCount();
    }

    // ---- parts

    /// Verifies a buffer without the elements of its vectors of tables: the root and the single
    /// tables below it, such as a footer's schema, with their numbers, strings and vectors of
    /// numbers. Of vectors of tables, only position and count are verified. For buffers with very
    /// many columns of which few are read; verify the elements with [#field] and [#keyValue] before
    /// reading them.
    public boolean verifyShallow(Root root, MemorySegment memory, long offset, long length) {
        engine.setShallow(true);
        try {
            return verify(root, memory, offset, length);
        } finally {
            engine.setShallow(false);
        }
    }

    /// Verifies a field with its type, dictionary, children and metadata. Limits and path start at
    /// this field. Binding the field first reads bytes that are not verified, and may throw a
    /// [dev.fletch.FletchException].
    ///
    /// @param bound the field, bound through its schema or parent
    /// @throws IllegalStateException if `bound` is not bound, or outdated
    public boolean field(Field bound) {
        return verify(FIELD, bound.memory(), bound.position());
    }

    /// Verifies a key/value pair, as [#field] verifies a field.
    ///
    /// @param bound the pair, bound through its schema, field, message or footer
    /// @throws IllegalStateException if `bound` is not bound, or outdated
    public boolean keyValue(KeyValue bound) {
        return verify(KEY_VALUE, bound.memory(), bound.position());
    }

    private boolean verify(int kind, MemoryRange memory, long table) {
        try {
            return engine.verify(kind, memory, table);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    // ---- results

    /// {@return the fault of the last call; null if there was none, and after [#findFaults], whose
    /// sink received the faults}
    public Fault fault() {
        return engine.fault();
    }

    /// {@return number of tables that the last call reached; one reached twice counts twice}
    public long tablesVisited() {
        return engine.tablesVisited();
    }

    /// {@return number of bytes that the last call read to check strings for UTF-8}
    public long stringBytesRead() {
        return engine.stringBytesRead();
    }
}
