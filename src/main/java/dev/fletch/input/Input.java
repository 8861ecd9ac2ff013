// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.LeadingBytes;
import dev.fletch.ipc.internal.LeadingSchema;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.List;

/// Reads the complete messages of an input, in order, and steps over damage. Bodies of a mapped
/// file are only read to find messages after damage, those of a pipe are skipped.
///
/// A file's footer determines its messages. A file without a usable footer, such as from an
/// interrupted writer, is read as a stream: see [MessageWalk]. After damage, the rest of a pipe is
/// stored in a temporary file; a wrong body length is not recognized then. Of a link, bytes after
/// damage are read only if it is small. [#fault] describes what is wrong, and how much of the input
/// is complete.
///
/// An input may have several streams in a row. Each has an object of its own: see [#following].
public final class Input implements AutoCloseable {
    /// Begins a note about [#behindMarker].
    public static final String BEHIND_MARKER = "bytes follow the end-of-stream marker: ";

    /// Width of offsets in output, equal for files and pipes.
    public static final int OFFSET_WIDTH = 10;

    /// The current message.
    public final Message message = new Message();

    private final Schema schema = new Schema();
    private final DetectedInput detected;
    private final InputBytes bytes;
    private final ReadOptions options;
    private final MemorySegment memory;
    private final int expectedBatches;
    private final ArrowFile file;
    private final EncapsulatedMessage frame;
    private final OpenedMessages opener;
    // Steps through the messages of a file with a footer; else null.
    private final FooterMessages ofFooter;
    // Step through others; both null for a file with a footer, or a single flatbuffer.
    private final MessageBytes messages;
    private final MessageWalk walk;
    // Of a file; else null.
    private final FileHead head;
    // Offset of the first message, and its index: not 0 if other streams come before.
    private final long start;
    private final int firstIndex;
    private final InputDamage damage;
    // Whether the message of a single flatbuffer was read.
    private boolean isRead;
    private final CompleteBatches complete = new CompleteBatches();
    private boolean hasEnded;
    private final LeadingSchema lead = new LeadingSchema();
    private boolean isInFooter;
    private long skipped;
    private String schemaHint = "";

    private Input(
            DetectedInput detected,
            InputBytes bytes,
            ReadOptions options,
            ArrowFile file,
            int expectedBatches,
            Fault footerFault,
            FileHead head,
            long start,
            int firstIndex) {
        this.detected = detected;
        this.bytes = bytes;
        this.options = options;
        this.memory = bytes.isPipe() ? null : detected.memory();
        this.file = file;
        this.expectedBatches = expectedBatches;
        this.damage = new InputDamage(footerFault);
        this.head = head;
        this.start = start;
        this.firstIndex = firstIndex;
        MemorySegment stored = detected.memory();
        MessageReader reader = null;
        if (stored == null) {
            messages = MessageBytes.of(bytes.pipe(), bytes::keepRest);
            reader = MessageReader.of(messages.pipe(), options);
        } else {
            boolean hasWalk = file == null && form() != Form.FLATBUFFER;
            messages = hasWalk ? MessageBytes.of(stored, start, stored.byteSize()) : null;
        }
        frame = reader == null ? new EncapsulatedMessage(options) : reader.frame();
        boolean isFile = form() == Form.FILE;
        opener = new OpenedMessages(reader, frame, message, damage);
        ofFooter =
                file == null
                        ? null
                        : new FooterMessages(file, bytes.isSearchable(), opener, frame, damage);
        walk =
                messages == null
                        ? null
                        : new MessageWalk(
                                messages,
                                firstIndex,
                                bytes.isSearchable(),
                                isFile,
                                opener,
                                damage::accept);
        if (walk != null && head != null) {
            walk.beginUnframed(head.unframedSchemaEnd());
        }
    }

    /// The limits of everything read from this input.
    public Limits limits() {
        return options.limits();
    }

    /// How it is read.
    public ReadOptions options() {
        return options;
    }

    /// A frame with the limits of this input, to open its messages again.
    public EncapsulatedMessage newFrame() {
        return new EncapsulatedMessage(options);
    }

    /// Where the bytes come from.
    public InputBytes bytes() {
        return bytes;
    }

    /// [#of(InputBytes, ReadOptions)] with [ReadOptions#DEFAULT].
    public static Input of(InputBytes bytes) throws IOException {
        return of(bytes, ReadOptions.DEFAULT);
    }

    /// Detects the format of an input and opens it. A file from a pipe is first stored, because its
    /// footer is at the end.
    ///
    /// @throws FletchException if the format is unknown, or a base64 text has another character
    public static Input of(InputBytes bytes, ReadOptions options) throws IOException {
        return of(bytes, DetectedInput.of(bytes), options);
    }

    /// Same as [#of(InputBytes, ReadOptions)], but skips up to [LeadingBytes#MOST] other bytes
    /// before a file or stream: see [#skipped].
    ///
    /// @param bytes in memory
    public static Input behindOthers(InputBytes bytes, ReadOptions options) throws IOException {
        MemorySegment all = bytes.memory();
        FletchException failure = null;
        DetectedInput detected = null;
        try {
            detected = DetectedInput.find(bytes);
            if (detected.form() != Form.UNKNOWN
                    && (detected.form() != Form.FILE
                            || detected.memory() != all
                            || FileHead.hasMagic(all, 0))) {
                return of(bytes, detected, options);
            }
        } catch (FletchException e) {
            failure = e;
        }
        long position = LeadingBytes.count(all);
        boolean isBad = failure != null || detected.form() == Form.UNKNOWN;
        if (position > 0 && (isBad || hasFirstBlock(all.asSlice(position), options))) {
            MemorySegment behind = all.asSlice(position);
            Input input = of(bytes, DetectedInput.of(behind), options);
            input.skipped = position;
            return input;
        }
        if (failure != null) {
            throw failure;
        }
        return of(bytes, detected.requireKnown(), options);
    }

    /// Whether a file's footer has its first block where it says.
    private static boolean hasFirstBlock(MemorySegment memory, ReadOptions options) {
        try (ArrowFile file = ArrowFile.of(memory, options)) {
            file.message(0, new EncapsulatedMessage(options), new Message());
            return true;
        } catch (RuntimeException _) { // not a file, or damaged
            return false;
        }
    }

    private static Input of(InputBytes bytes, DetectedInput detected, ReadOptions options)
            throws IOException {
        if (detected.base64() != null) {
            long wrong = detected.base64().faultAt();
            FrameCheck.base64(detected.base64(), wrong, wrong, FletchException::raiseInInput);
        }
        if (detected.form() != Form.FILE) {
            return new Input(detected, bytes, options, null, -1, null, null, 0, 0);
        }
        MemorySegment memory = detected.memory();
        ArrowFile file = null;
        Footer footer;
        Fault footerFault = null;
        try {
            file = ArrowFile.of(memory, options);
            footer = file.footer();
        } catch (FletchException e) {
            footerFault = InputFaults.of(e, null);
            footer = FileTail.usable(memory, options.limits());
            boolean isMagic =
                    e.rule() == FileRule.NO_LEADING_MAGIC || e.rule() == FileRule.NO_TRAILING_MAGIC;
            boolean isUsed = isMagic && footer != null;
            int length = isUsed ? FileTail.footerLength(memory) : 0;
            file = isUsed ? ArrowFile.of(memory, length, options) : null;
        }
        int batches = footer == null ? -1 : footer.recordBatchesCount();
        // End of the bytes in which the first message may be.
        long end = file == null ? memory.byteSize() : file.footerOffset();
        end = memory == bytes.memory() ? Math.min(end, bytes.leadingBytes()) : end;
        FileHead head = FileHead.of(memory, end);
        long start = Math.min(head.length(), memory.byteSize());
        return new Input(detected, bytes, options, file, batches, footerFault, head, start, 0);
    }

    /// Returns file or stream; a single flatbuffer counts as a stream.
    public ArrowContainer container() {
        return form() == Form.FILE ? ArrowContainer.FILE : ArrowContainer.STREAM;
    }

    public Form form() {
        return detected.form();
    }

    /// Moves to the next message with a complete body. Returns false at the end of the stream.
    public boolean next() throws IOException {
        if (hasEnded) {
            return false;
        }
        isInFooter = false;
        boolean hasFooter = file != null;
        if ((!hasFooter || hasSchemaOfSize()) && advance() && (hasFooter || hasSchemaOfSize())) {
            complete.add(message);
            return true;
        }
        hasEnded = true;
        finish();
        return false;
    }

    /// Checks the size of the schema in the footer, before the first message, or in the current
    /// message. Nothing is read with a schema that is too large.
    private boolean hasSchemaOfSize() {
        boolean isThere =
                file == null
                        ? message.header(schema)
                        : count() == 0 && file.footer().schema(schema);
        try {
            if (isThere) {
                SchemaSize.check(schema, limits());
            }
            return true;
        } catch (FletchException e) {
            isInFooter = file != null;
            addFault(InputFaults.required(e, this));
            return false;
        }
    }

    /// Sets the end of the fault that an input has a schema alone, and no message.
    public void hintAtSchema(String hint) {
        schemaHint = hint;
    }

    /// What salvage wants from an input.
    public enum Salvage {
        NONE,
        /// Messages that no block leads to, and no fault if all messages are there.
        WHOLE,
        /// Also messages that are followed by bytes that may belong to them.
        DOUBTFUL
    }

    /// Sets what salvage wants, before the first message.
    public void salvage(Salvage what) {
        if (ofFooter != null) {
            ofFooter.salvage(what);
        } else if (walk != null && what == Salvage.DOUBTFUL) {
            walk.keepDoubtful();
        }
    }

    /// Lets the batches of a file follow in the order of its blocks, in which readers of files have
    /// them, unless the file is damaged. Otherwise they follow by their offsets. Call it before the
    /// first message.
    public void followBlocks() {
        if (ofFooter != null) {
            ofFooter.followBlocks();
        }
    }

    private boolean advance() throws IOException {
        if (walk == null) {
            return ofFooter == null ? flatbuffer() : ofFooter.next();
        }
        bytes.requireRead(walk.at(), MessagePrefix.BYTES);
        Work.reached(walk.at(), messages.end());
        return walk.next();
    }

    /// Number of messages that were complete or damaged.
    private int count() {
        return walk != null ? walk.count() : ofFooter != null ? ofFooter.count() : isRead ? 1 : 0;
    }

    private boolean isIncomplete() {
        return walk != null && walk.isIncomplete();
    }

    /// Adds a fault if the current message is the first batch of a stream without a schema message:
    /// see [LeadingSchema].
    public void checkLeadingSchema() {
        if (file == null && (form() == Form.STREAM || form() == Form.FILE)) {
            Message first = damage.count() == 0 ? message : null;
            lead.check(frame.offset(), index(), first, damage);
        }
    }

    /// Adds a fault of the current message, which the caller found. The message still counts.
    public void addFault(Fault fault) {
        damage.accept(fault);
    }

    /// Adds a fault of the current message, which the caller found. Then the message is not
    /// complete.
    public void leaveOut(Fault fault) {
        addFault(fault);
        complete.removeLast();
    }

    private boolean flatbuffer() {
        if (isRead || detected.root() != Verifier.Root.MESSAGE) {
            return false;
        }
        frame.wrapMetadata(memory, 0, (int) memory.byteSize(), message);
        isRead = true;
        return true;
    }

    /// What is in front of the messages of a file with a footer. [#next] does not move to a schema
    /// message without prefix.
    public FileHead.First first() {
        return head.first(blocks());
    }

    private void finish() {
        if (isPlanned()) {
            ofFooter.finish(damage.count() > 0);
        }
        if (ofFooter != null) {
            damage.sort();
        }
        if (count() == firstIndex && file == null) {
            boolean isOther = form() == Form.FLATBUFFER;
            String found = isOther ? "root=" + detected.root().table() : "";
            String hint = isOther ? schemaHint : "";
            FrameCheck.noMessage(
                    frame.offset(), found, fault -> damage.accept(fault.followedBy(hint)));
        }
        if (isIncomplete()) {
            complete.incomplete(message);
        }
        damage.end(completeText(), isIncomplete());
    }

    /// Returns a fault found in a message; in a file without a usable footer, preceded by that
    /// fault.
    public Fault caused(Fault fault) {
        return damage.caused(fault);
    }

    /// How much of the input is complete: `2 of 3 record batches complete, 400 rows`. Complete only
    /// after the last message; empty if there is nothing to count.
    public String completeText() {
        return form() == Form.FLATBUFFER ? "" : complete.text(expectedBatches());
    }

    /// Whether record batches are missing, or may be: the input is damaged, and its footer does not
    /// tell that all are there. Only after the last message.
    public boolean lacksBatches() {
        int expected = expectedBatches();
        return expected >= 0 ? batches() < expected : isIncomplete() || damage.count() > 0;
    }

    /// Whether [#message] and [#frame] are bound to a message with a truncated body, after the last
    /// complete message.
    public boolean hasIncomplete() {
        return hasEnded && isIncomplete();
    }

    /// Whether there was no complete message so far.
    public boolean isEmpty() {
        return complete.isEmpty();
    }

    public int index() {
        return ofFooter != null ? ofFooter.index() : count() - 1;
    }

    /// Number of complete record batches.
    public long batches() {
        return complete.count();
    }

    /// Number of rows of the complete record batches.
    public long rows() {
        return complete.rows();
    }

    /// Number of record batches in the footer; -1 without a usable one. A magic may be missing: see
    /// [FileTail#usable].
    public int expectedBatches() {
        return expectedBatches;
    }

    /// Why the footer of a file is not usable; null if it is, or if this is no file.
    public Fault footerFault() {
        return damage.footer();
    }

    /// The damaged parts of the input, in the order of their offsets, without an unusable footer:
    /// at most the first thousand. Complete only after the last message.
    public List<Fault> damages() {
        return damage.parts();
    }

    public long damageCount() {
        return damage.count();
    }

    /// Whether all messages were read, and none is damaged or incomplete; a footer may still be
    /// missing.
    public boolean endsCleanly() {
        return hasEnded && damage.count() == 0;
    }

    /// End of the messages of an input without a valid footer, after the last message: after the
    /// end-of-stream marker, if there is one.
    public long endOfMessages() {
        return endOfMarker(walk.at());
    }

    /// Offset of the input's next stream, after the last message of this one; -1 if there is none.
    public long nextStream() {
        return walk == null ? -1 : walk.nextStream();
    }

    /// Text about the bytes between this stream's end-of-stream marker and the next stream or the
    /// end of the input, after the last message; empty if there are none. Reads a pipe to its end.
    public String behindMarker() throws IOException {
        boolean hasMarker = walk != null && walk.markerEnd() >= 0 && form() != Form.FILE;
        long bytes = hasMarker ? end() - walk.markerEnd() : 0;
        return bytes == 0 ? "" : "offset=" + walk.markerEnd() + ", bytes=" + bytes;
    }

    /// The input's next stream, after the last message of this one; null if there is none. Its
    /// messages are counted from this one's. Only one of the objects may be used at a time.
    public Input following() {
        if (nextStream() < 0) {
            return null;
        }
        DetectedInput next = new DetectedInput(Form.STREAM, messages.memory());
        return new Input(next, bytes, options, null, -1, null, null, nextStream(), count());
    }

    /// Whether this is not the input's first stream.
    public boolean isFollowing() {
        return firstIndex > 0;
    }

    /// Number of other bytes before the file or stream: 0 unless opened by [#behindOthers]. All
    /// offsets count from its first byte.
    public long skipped() {
        return skipped;
    }

    /// Offset of the first message.
    public long start() {
        return start;
    }

    /// The bytes of the input; null for a stream from a pipe.
    public MemorySegment memory() {
        return memory;
    }

    /// Keeps the body of each message of a pipe until the next one, for [#bodyMemory]. Call it
    /// before the first message.
    public void keepBodies() {
        opener.keepBodies();
    }

    /// Memory with the body of the current message: of a pipe, a copy after [#keepBodies]; else all
    /// bytes of the input.
    ///
    /// @throws FletchException if the body of a pipe's message is too long to be kept
    public MemorySegment bodyMemory() {
        if (!isBodyApart()) {
            return memory == null ? messages.memory() : memory;
        }
        if (opener.body() == null) {
            long position = frame.inputOffset(message.position(Message.BODY_LENGTH_SLOT));
            long limit = OpenedMessages.MOST_KEPT_BYTES;
            FrameCheck.bodyLength(position, frame.bodyLength(), limit, this::raise);
        }
        return opener.body();
    }

    /// Position in [#bodyMemory] of the first byte of the body: that which follows the metadata in
    /// its memory, so that [EncapsulatedMessage#inputOffset] takes positions in both.
    public long bodyPosition() {
        return frame.bodyOffset() - frame.inputOffset(0);
    }

    /// Whether [#bodyMemory] has a copy of the body.
    public boolean isBodyApart() {
        return memory == null && messages.isPipe();
    }

    /// The mapped file; null if the bytes are only in memory.
    public FileChannel channel() {
        return memory == bytes.memory() ? bytes.file() : null; // else this was base64
    }

    /// The file; null if the input is not a file with a valid footer.
    public ArrowFile file() {
        return file;
    }

    /// Offsets and lengths of the current message.
    public EncapsulatedMessage frame() {
        return frame;
    }

    /// {@return a fault of the current metadata at its place in the input}
    ///
    /// @param fault its position is in the memory of the metadata
    public Fault placed(Fault fault) {
        return InputFaults.placed(fault, frame, metadataIndex());
    }

    /// The fault of an exception from reading the current metadata or its message.
    Fault placed(FletchException e) {
        if (!isInFooter) {
            return InputFaults.ofMessage(e, frame, index());
        }
        long start = metadataOffset();
        boolean isInside = e.offset() >= start && e.offset() - start < metadataLength();
        return e.fault().in(Fault.NO_MESSAGE, isInside ? e.offset() : start);
    }

    /// Index of the message with the current metadata; [Fault#NO_MESSAGE] after [#schema] of a
    /// file.
    int metadataIndex() {
        return isInFooter ? Fault.NO_MESSAGE : index();
    }

    /// Offset of the current metadata: of the footer after [#schema] of a file, else of the
    /// message.
    public long metadataOffset() {
        return isInFooter ? file == null ? 0 : file.footerOffset() : frame.metadataOffset();
    }

    /// Length of the current metadata in bytes.
    public long metadataLength() {
        return isInFooter
                ? file == null ? memory.byteSize() : file.footerLength()
                : frame.metadataLength();
    }

    /// The blocks of a valid footer.
    public FooterBlocks blocks() {
        return ofFooter.blocks();
    }

    /// Whether this is a file with a valid footer, which determines the messages.
    public boolean hasFooter() {
        return file != null;
    }

    /// Returns the offset after the end-of-stream marker; without one, `position`. Call it after the last
    /// message, which ends at `position`.
    public long endOfMarker(long position) {
        if (file == null) {
            return frame.kind() == FrameKind.END_OF_STREAM ? frame.nextOffset() : position;
        }
        return position + MessagePlace.markerBytes(memory, position, file.footerOffset());
    }

    /// Size of the input in bytes. Call it after the last message; reads a pipe to its end.
    public long size() throws IOException {
        if (memory != null) {
            return memory.byteSize();
        }
        messages.skip(Long.MAX_VALUE);
        return messages.isPipe() ? messages.pipe().count() : messages.end();
    }

    /// Offset after the bytes of this stream: where the next one begins, or else the size of the
    /// input. Call it after the last message; reads a pipe to its end.
    public long end() throws IOException {
        return nextStream() < 0 ? size() : nextStream();
    }

    /// Binds to the schema of the footer or, without a footer, of the first message: until the next
    /// message.
    public Schema schema() throws IOException {
        isInFooter = hasSchemaApart();
        if (detected.root() == Verifier.Root.SCHEMA) {
            schema.wrap(memory);
        } else if (isInFooter) {
            FileTail.schema(footer(), 0, schema, FletchException::raiseInInput);
        } else if (!next()) {
            throw FletchException.inInput(damage.fault());
        } else if (!message.header(schema)) {
            if (!damages().isEmpty()) {
                throw FletchException.inInput(caused(damages().getFirst()));
            }
            FrameCheck.header(message, false, fault -> raise(placed(fault)));
            FrameCheck.leadingSchema(frame.offset(), FrameKind.MESSAGE, message, this::raise);
        }
        return schema;
    }

    /// Verifies the schema that [#schema] has bound, and the message or footer that has it.
    public void verifySchema(SemanticVerifier verifier) {
        if (detected.root() == Verifier.Root.SCHEMA) {
            verifier.schema(schema);
        } else if (isInFooter) {
            verifier.footer(footer());
        } else {
            verifier.message(message);
        }
    }

    private Footer footer() {
        return file == null ? new Footer().wrap(memory) : file.footer();
    }

    private void raise(Fault fault) {
        throw FletchException.inInput(caused(fault.inMessage(index())));
    }

    /// Whether [#schema] does not move to a message.
    public boolean hasSchemaApart() {
        return file != null || detected.root() != null && detected.root() != Verifier.Root.MESSAGE;
    }

    /// Handle of the schema of the footer or of the last schema message; null if it is not known.
    public KnownSchema knownSchema() {
        return file == null ? frame.knownSchema() : file.knownSchema();
    }

    /// The input's fault; null if none is known. Before the end only an unusable footer; after the
    /// end also the reason why [#next] stopped, and how much is complete.
    public Fault fault() {
        return damage.fault();
    }

    /// How the plan of a damaged input describes the current message; null if nothing before it is
    /// damaged.
    public ContainerPart part() {
        return ofFooter != null ? ofFooter.part() : walk == null ? null : walk.part();
    }

    /// Number of the footer's block that leads to the current message, dictionaries first;
    /// [ContainerPart#NO_BLOCK] if there is none.
    public int blockNumber() {
        return ofFooter == null ? ContainerPart.NO_BLOCK : ofFooter.blockNumber();
    }

    /// Whether the messages are those of a file's plan, in the order of their offsets.
    public boolean isPlanned() {
        return ofFooter != null && ofFooter.isPlanned();
    }

    /// Number of blocks that lead to no message, of a file that is read by its plan.
    public long lostBlocks() {
        return ofFooter == null ? 0 : ofFooter.lostBlocks();
    }

    /// The faults of the first of these blocks that no damage explains, after the last message.
    public List<Fault> unexplainedBlocks() {
        return ofFooter == null ? List.of() : ofFooter.unexplainedBlocks();
    }

    /// Releases a file's footer and messages. The bytes stay open.
    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    /// Whether another program still writes this input, so that output should appear immediately.
    public boolean isLive() {
        try {
            return messages != null && messages.isPipe() && messages.pipe().available() == 0;
        } catch (IOException e) {
            return true; // the next read throws
        }
    }
}
