// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.flatbuf.Fault;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.IpcFault;
import dev.fletch.ipc.SupportedVersions;
import dev.fletch.layout.MeaningFault;
import dev.fletch.layout.MeaningOptions;
import dev.fletch.layout.MeaningVerifier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;

/// Looks into the metadata of one message or footer after the other, and remembers of the last one
/// what those need to know who look at how it goes together with the others.
final class MessageCheck {
    /// How many faults of one flatbuffer are told. One damaged byte rarely makes more than a few.
    static final int MAX_FAULTS = 100;

    private static final int NO_PLACE = -1;

    private final Findings findings;
    private final Verifier verifier;
    private final Verifier official;
    private final MeaningVerifier meaning;
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final BodyLength bodyLength = new BodyLength();

    // Of the flatbuffer that is being verified.
    private int index;
    // Offset in the input of the memory's position 0.
    private long shift;
    private boolean isSound;
    // Whether a schema can be walked through, as far as its meaning goes.
    private boolean isWalkable;
    // Of a file's block, its place among those of its kind; negative in a stream.
    private int place = NO_PLACE;

    private boolean hasBlocks;
    private boolean hasNumbers;
    private boolean isReadable;
    private boolean hasBodyLength;
    private boolean hasSchema;
    private int dictionaryBatches;
    private int recordBatches;
    private int endianness = Endianness.LITTLE;

    MessageCheck(VerifierOptions options, MeaningOptions meant, Findings findings) {
        this.verifier = new Verifier(options);
        this.official = options.equals(VerifierOptions.ARROW_CPP) ? verifier : new Verifier();
        this.findings = findings;
        this.meaning = new MeaningVerifier(meant);
        meaning.collect(this::meaning, MAX_FAULTS);
    }

    // ---- where messages come from

    /// Begins a stream, or what is looked at like one.
    void beginStream() {
        meaning.beginStream();
        place = NO_PLACE;
    }

    /// Tells of the next message that it is that of a block.
    ///
    /// @param number place of the block among those of its kind; 0 for the leading schema
    void beginBlock(int number) {
        place = number;
    }

    // ---- one message

    /// Looks into a message.
    ///
    /// @param number its index
    /// @param inputOffset offset in the input of its metadata, which is at `at` in `memory`
    void message(MemorySegment memory, long at, int length, int number, long inputOffset) {
        index = number;
        shift = inputOffset - at;
        structure(Verifier.Root.MESSAGE, memory, at, length);
        isReadable = hasNumbers && hasBodyLength && wrapped(memory, at, length);
        hasBodyLength = hasBodyLength && (isReadable || bodyLength.read(memory, at, length));
        hasSchema = false;
        if (isReadable && isSound) {
            meaning(length);
        } else {
            meaning.skip();
        }
        if (isReadable && !isSound && !SupportedVersions.isSupported(message.version())) {
            version(message.position(Message.VERSION_SLOT));
        }
        if (hasBodyLength && bodyLength() < 0) {
            findings.add(
                    IpcFault.NEGATIVE_BODY_LENGTH,
                    index,
                    "bodyLength",
                    inputOffset,
                    "bodyLength=" + bodyLength());
        }
    }

    private void structure(Verifier.Root root, MemorySegment memory, long at, int length) {
        hasBlocks = true;
        hasNumbers = true;
        hasBodyLength = true;
        int faults = verifier.findFaults(root, memory, at, length, this::structure, MAX_FAULTS);
        if (faults > MAX_FAULTS) {
            findings.more(Level.STRUCTURE, index, at + shift, MAX_FAULTS);
            hasBlocks = false;
        }
        // What stricter rules alone refuse can be read all the same.
        isSound = faults == 0 || official.verify(root, memory, at, length);
        hasBlocks |= isSound;
        hasNumbers |= isSound;
        hasBodyLength |= isSound;
    }

    private void structure(Fault fault) {
        findings.add(fault, index, fault.position() + shift);
        String path = fault.path();
        hasNumbers &= !path.equals("version") && !path.equals("headerType");
        hasBodyLength &= !path.isEmpty() && !path.equals("bodyLength");
        hasBlocks &=
                !path.isEmpty()
                        && !path.startsWith("dictionaries")
                        && !path.startsWith("recordBatches");
    }

    /// Whether something is a message that nothing is wrong with; if so, it is the last message.
    boolean isGood(MemorySegment memory, long at, int length) {
        if (!verifier.message(memory, at, length)) {
            return false;
        }
        message.wrap(memory, at, length);
        isReadable = true;
        return SupportedVersions.isSupported(message.version())
                && MessageHeader.isKnown(kind())
                && kind() != MessageHeader.NONE
                && message.bodyLength() >= 0;
    }

    private boolean wrapped(MemorySegment memory, long at, int length) {
        try {
            message.wrap(memory, at, length);
            return true;
        } catch (FlatBufferFormatException _) {
            return false; // the verifier has told why
        }
    }

    private void version(long position) {
        findings.add(
                IpcFault.UNSUPPORTED_VERSION,
                index,
                "version",
                position + shift,
                "version=" + SupportedVersions.name(message.version()) + ", supported=V4 and V5");
    }

    // ---- meaning

    /// @param length that of the metadata
    private void meaning(int length) {
        isWalkable = true;
        if (place == NO_PLACE) {
            meaning.message(message);
        } else {
            meaning.block(message, message.headerType(), place); // the kind is told elsewhere
        }
        tellMore(message.position());
        if (message.header(schema)) {
            hasSchema = walk(schema, "header.schema", length);
        } else if (message.header(batch)) {
            recordBatches++;
        } else if (message.header(dictionary)) {
            dictionaryBatches++;
        }
    }

    private void meaning(MeaningFault fault) {
        switch (fault.code()) {
            // Told by whoever looks at frames and at the order of messages, damaged ones included.
            case HEADER_KIND, NEGATIVE_BODY_LENGTH, BODY_UNALIGNED -> {}
            case UNSUPPORTED_VERSION -> {
                if (index == Finding.NO_MESSAGE) {
                    findings.add(fault, index, fault.position() + shift);
                } else {
                    version(fault.position());
                }
            }
            case SCHEMA_TOO_LARGE, SCHEMA_TOO_DEEP -> {
                isWalkable = false;
                findings.add(fault, index, fault.position() + shift);
            }
            default -> findings.add(fault, index, fault.position() + shift);
        }
    }

    private void tellMore(long position) {
        if (meaning.faultCount() > MAX_FAULTS) {
            isWalkable = false;
            findings.more(Level.MEANING, index, position + shift, MAX_FAULTS);
        }
    }

    /// Whether the message's own table can be read: [#kind] and [#kindName].
    boolean isReadable() {
        return isReadable;
    }

    int kind() {
        return message.headerType();
    }

    String kindName() {
        return MessageHeader.name(kind());
    }

    /// Whether [#bodyLength] could be read.
    boolean hasBodyLength() {
        return hasBodyLength;
    }

    /// May be negative.
    long bodyLength() {
        return isReadable ? message.bodyLength() : bodyLength.value();
    }

    /// The schema that the message is, bound until the next message; null if it is none, or none
    /// that can be walked through.
    Schema schema() {
        return hasSchema ? schema : null;
    }

    // ---- footers

    /// Looks into the structure of a footer.
    ///
    /// @return whether all of it can be read
    boolean footer(MemorySegment memory, long at, int length) {
        index = Finding.NO_MESSAGE;
        shift = 0;
        structure(Verifier.Root.FOOTER, memory, at, length);
        return isSound;
    }

    /// Whether nothing is wrong with the last footer's blocks, whatever may be with its schema.
    boolean hasBlocks() {
        return hasBlocks;
    }

    /// Whether a footer is sound, without telling what is wrong with it.
    boolean isFooter(MemorySegment memory, long at, int length) {
        return verifier.footer(memory, at, length);
    }

    /// Looks into what a footer means that can be read, and begins its file.
    ///
    /// @param into bound to its schema
    /// @param bytes how many it was read from
    /// @return whether it has a schema that can be walked through
    boolean meaning(Footer footer, Schema into, int bytes) {
        beginFooter();
        meaning.footer(footer);
        tellMore(footer.position());
        return footer.schema(into) && walk(into, "schema", bytes);
    }

    /// Begins a file whose footer cannot be read, but for its blocks.
    void beginFile() {
        meaning.beginFile();
    }

    /// Looks, after all blocks, into what the footer and they mean together.
    void end(Footer footer) {
        beginFooter();
        if (dictionaryBatches != footer.dictionariesCount()) {
            return; // some cannot be read, and may be any dictionary's
        }
        meaning.endFile(footer);
        tellMore(footer.position());
    }

    private void beginFooter() {
        index = Finding.NO_MESSAGE;
        shift = 0;
        isWalkable = true;
    }

    /// Whether a schema can be walked through by whoever prints or compares it.
    private boolean walk(Schema sound, String path, int bytes) {
        endianness = sound.endianness();
        if (!isWalkable) {
            return false;
        }
        try (JsonGenerator nowhere = Json.generator(Writer.nullWriter())) {
            SchemaWalk walk = new SchemaWalk(sound, bytes);
            nowhere.writeStartObject();
            new SchemaFbs(walk, nowhere).write(Columns.all(walk));
            return true;
        } catch (FlatBufferFormatException e) {
            long offset = sound.position() + shift;
            findings.add(InputFault.SCHEMA_TOO_LARGE, index, path, offset, e.getMessage());
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is nothing to fail
        }
    }

    // ---- all messages

    int dictionaryBatches() {
        return dictionaryBatches;
    }

    int recordBatches() {
        return recordBatches;
    }

    int endianness() {
        return endianness;
    }
}
