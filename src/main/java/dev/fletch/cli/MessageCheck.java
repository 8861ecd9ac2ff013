// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.flatbuf.Fault;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.IpcFault;
import dev.fletch.ipc.SupportedVersions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;

/// Looks into the metadata of one message or footer after the other, and remembers of the last one
/// what those need to know who look at how it goes together with the others.
final class MessageCheck {
    /// How many faults of one flatbuffer are told. One damaged byte rarely makes more than a few.
    static final int MAX_FAULTS = 100;

    private final Findings findings;
    private final Verifier verifier;
    private final Verifier official;
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

    private boolean hasBlocks;
    private boolean hasNumbers;
    private boolean isReadable;
    private boolean hasBodyLength;
    private boolean hasSchema;
    private int dictionaryBatches;
    private int recordBatches;
    private int endianness = Endianness.LITTLE;

    MessageCheck(VerifierOptions options, Findings findings) {
        this.verifier = new Verifier(options);
        this.official = options.equals(VerifierOptions.ARROW_CPP) ? verifier : new Verifier();
        this.findings = findings;
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
        if (isReadable) {
            version();
            if (isSound) {
                header(length);
            }
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
            findings.more(index, at + shift, MAX_FAULTS);
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

    private void version() {
        int version = message.version();
        if (!SupportedVersions.isSupported(version)) {
            findings.add(
                    IpcFault.UNSUPPORTED_VERSION,
                    index,
                    "version",
                    message.position() + shift,
                    "version=" + SupportedVersions.name(version) + ", supported=V4 and V5");
        }
    }

    /// @param length that of the metadata
    private void header(int length) {
        int type = message.headerType();
        if (type == MessageHeader.NONE || !message.isPresent(Message.HEADER_SLOT)) {
            meaning(InputFault.NO_HEADER, "header", "kind=" + MessageHeader.name(type));
            return;
        }
        if (!MessageHeader.isKnown(type)) {
            meaning(InputFault.UNKNOWN_HEADER, "headerType", "headerType=" + type);
        }
        if (message.header(schema)) {
            hasSchema = schema(schema, "header.schema", length);
        } else if (message.header(batch)) {
            recordBatches++;
            rows("header.recordBatch.length");
        } else if (message.header(dictionary)) {
            dictionaryBatches++;
            if (dictionary.data(batch)) {
                rows("header.dictionaryBatch.data.length");
            } else {
                meaning(InputFault.NO_DICTIONARY_DATA, "header.dictionaryBatch.data", "");
            }
        }
    }

    private void meaning(InputFault fault, String path, String details) {
        findings.add(fault, index, path, message.position() + shift, details);
    }

    private void rows(String path) {
        if (batch.length() < 0) {
            findings.add(
                    InputFault.NEGATIVE_ROWS,
                    index,
                    path,
                    batch.position() + shift,
                    "length=" + batch.length());
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

    /// Looks into what a schema says that is sound: that of the message, or of a footer.
    ///
    /// @param bytes how many it was read from
    /// @return whether it can be walked through
    boolean schema(Schema sound, String path, int bytes) {
        endianness = sound.endianness();
        long offset = sound.position() + shift;
        if (!Endianness.isKnown(endianness)) {
            String details = "endianness=" + endianness;
            String where = path + ".endianness";
            findings.add(InputFault.UNKNOWN_ENDIANNESS, index, where, offset, details);
        }
        try (JsonGenerator nowhere = Json.generator(Writer.nullWriter())) {
            SchemaWalk walk = new SchemaWalk(sound, bytes);
            nowhere.writeStartObject();
            new SchemaFbs(walk, nowhere).write(Columns.all(walk));
            return true;
        } catch (FlatBufferFormatException e) {
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
