// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Footer;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.SupportedVersions;
import dev.fletch.semantics.SemanticOptions;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Looks into the metadata of one message or footer after the other, and remembers of the last one
/// what those need to know who look at how it goes together with the others.
public final class MessageCheck {
    private static final int NO_VERSION = -1;

    private final Findings findings;
    private final Verifier verifier;
    private final Verifier official;
    private final SemanticCheck meaning;
    private final boolean looksIntoBodies;
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final BodyLength bodyLength = new BodyLength();
    private final BufferedBody body = new BufferedBody();

    // The version that a footer says, if it is one that is read.
    private int footerVersion = NO_VERSION;

    // Of the flatbuffer that is being verified.
    private int index;
    // Offset in the input of the memory's position 0.
    private long shift;
    private boolean isSound;
    private final BrokenPaths broken = new BrokenPaths();
    private boolean isCounted;
    private long bytesVerified;

    private boolean hasBlocks;
    private boolean hasNumbers;
    private boolean isReadable;
    private boolean hasBodyLength;
    private boolean hasSchema;
    private int dictionaryBatches;
    private int recordBatches;
    private int endianness = Endianness.LITTLE;

    public MessageCheck(VerifierOptions options, SemanticOptions meant, Findings findings) {
        this.verifier = new Verifier(options);
        this.official = options.equals(VerifierOptions.ARROW_CPP) ? verifier : new Verifier();
        this.findings = findings;
        this.looksIntoBodies = meant.checkBufferSizes(); // which compressed ones say in the body
        this.meaning = new SemanticCheck(meant, findings);
    }

    /// What messages and footers mean; it is told where they come from.
    public SemanticCheck meaning() {
        return meaning;
    }

    // ---- one message

    /// Looks into a message.
    ///
    /// @param number its index
    /// @param inputOffset offset in the input of its metadata, which is at `at` in `memory`
    public void message(MemorySegment memory, long at, int length, int number, long inputOffset) {
        begin(memory, at, length, number, inputOffset);
        // Only what lies in memory as it does in the input has its body behind it.
        meaning(looksIntoBodies && shift == 0 ? memory : null, at + length);
        end(inputOffset);
    }

    /// Looks into a message, and takes its body where it is needed and in no memory yet.
    ///
    /// @param bytes have taken its metadata last
    /// @param number its index
    /// @param inputOffset offset in the input of its metadata
    public void message(ForwardBytes bytes, int length, int number, long inputOffset)
            throws IOException {
        long at = bytes.position();
        begin(bytes.memory(), at, length, number, inputOffset);
        boolean isWanted = looksIntoBodies && isReadable && isSound;
        meaning(
                isWanted && (shift == 0 || body.take(bytes, message)) ? bytes.memory() : null,
                at + length);
        end(inputOffset);
    }

    private void begin(MemorySegment memory, long at, int length, int number, long inputOffset) {
        index = number;
        shift = inputOffset - at;
        body.forget();
        structure(Verifier.Root.MESSAGE, memory, at, length);
        isReadable = hasNumbers && hasBodyLength && wrapped(memory, at, length);
        hasBodyLength = hasBodyLength && (isReadable || bodyLength.read(memory, at, length));
        hasSchema = false;
    }

    /// How many bytes of the last message's body were taken, and so need not be skipped.
    int bodyTaken() {
        return body.taken();
    }

    /// @param memory has the body from `bodyOffset` on; null if that is not to be looked into
    private void meaning(MemorySegment memory, long bodyOffset) {
        if (isReadable && isSound) {
            meaning.message(message, index, shift, memory, bodyOffset);
        } else {
            meaning.skip();
        }
    }

    private void end(long inputOffset) {
        if (isReadable) {
            checkVersion();
            readableHeader();
        }
        if (hasBodyLength && bodyLength() < 0) {
            findings.add(
                    FormatRules.NEGATIVE_BODY_LENGTH,
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
        broken.clear();
        bytesVerified += length;
        int room = findings.room();
        isCounted = true;
        int faults = verifier.findFaults(root, memory, at, length, this::structure, room);
        if (faults > room) {
            findings.more(at + shift);
            isCounted = false;
            hasBlocks = false;
        }
        // What stricter rules alone refuse can be read all the same.
        isSound = faults == 0 || official.verify(root, memory, at, length);
        if (isSound) {
            broken.clear();
        }
        hasBlocks |= isSound;
        hasNumbers |= isSound;
        hasBodyLength |= isSound;
    }

    private void structure(Fault fault) {
        findings.add(fault, index, fault.position() + shift);
        if (fault.rule().severity() != Rule.Severity.ERROR) {
            return; // what lies there is read all the same
        }
        String path = fault.path();
        broken.add(path);
        isCounted &= fault.rule() != StructureRules.TABLE_LIMIT;
        hasNumbers &= !path.equals("version") && !path.equals("headerType");
        hasBodyLength &= !path.isEmpty() && !path.equals("bodyLength");
        hasBlocks &=
                !path.isEmpty()
                        && !path.startsWith("dictionaries")
                        && !path.startsWith("recordBatches");
    }

    /// Whether something is a message that nothing is wrong with; if so, it is the last message.
    boolean isGood(MemorySegment memory, long at, int length) {
        bytesVerified += length;
        if (!verifier.verify(Verifier.Root.MESSAGE, memory, at, length)) {
            return false;
        }
        message.wrap(memory, at, length);
        isReadable = true;
        return SupportedVersions.isSupported(message.version())
                && MessageHeader.NAMES.isKnown(kind())
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

    private void checkVersion() {
        int version = message.version();
        if (footerVersion != NO_VERSION
                && SupportedVersions.isSupported(version)
                && version != footerVersion) {
            findings.add(
                    InputRules.VERSION_DIFFERS,
                    index,
                    "version",
                    message.position() + shift,
                    "footer="
                            + SupportedVersions.name(footerVersion)
                            + ", message="
                            + SupportedVersions.name(version));
            footerVersion = NO_VERSION; // one is enough, and the rest mostly alike
        }
        if (!isSound && !SupportedVersions.isSupported(version)) {
            findings.unsupported(version, index, message.position(Message.VERSION_SLOT) + shift);
        }
    }

    // ---- headers

    /// Looks into the header, as far as nothing is wrong with what is looked at.
    private void readableHeader() {
        if (isSound) {
            header();
        } else if (broken.isReadable("header")) {
            try {
                header();
            } catch (FlatBufferFormatException _) {
                // the verifier has told why
            }
        }
    }

    private void header() {
        int type = message.headerType();
        if (type == MessageHeader.NONE || !message.isPresent(Message.HEADER_SLOT)) {
            beside(FormatRules.NO_HEADER, "header", "kind=" + MessageHeader.NAMES.name(type));
            return;
        }
        if (!MessageHeader.NAMES.isKnown(type)) {
            beside(FormatRules.UNKNOWN_HEADER, "headerType", "headerType=" + type);
        }
        if (message.header(schema)) {
            schema(schema, "header.schema");
            hasSchema = isWalkable("header.schema");
        } else if (message.header(batch)) {
            recordBatches++;
            rows("header.recordBatch.length");
        } else if (message.header(dictionary)) {
            dictionaryBatches++;
            if (dictionary.data(batch)) {
                rows("header.dictionaryBatch.data.length");
            } else if (broken.isReadable("header.dictionaryBatch.data")) {
                beside(FormatRules.NO_DICTIONARY_DATA, "header.dictionaryBatch.data", "");
            }
        }
    }

    /// Tells what is wrong beside the damage; of what is sound, the second level tells.
    private void beside(Rule fault, String path, String details) {
        if (!isSound) {
            findings.add(fault, index, path, message.position() + shift, details);
        }
    }

    private void rows(String path) {
        if (!isSound && batch.length() < 0 && broken.isReadable(path)) {
            findings.add(
                    FormatRules.NEGATIVE_ROWS,
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
        return MessageHeader.NAMES.name(kind());
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
    /// @return whether all of it can be read; if not, [#broken] tells what cannot
    public boolean footer(MemorySegment memory, long at, int length) {
        index = Finding.NO_MESSAGE;
        shift = 0;
        structure(Verifier.Root.FOOTER, memory, at, length);
        return isSound;
    }

    /// Looks at the version of the footer that was verified last; messages are held against it from
    /// now on. One that is absent tells nothing: old writers leave it out.
    void footerVersion(Footer footer) {
        if (!footer.isPresent(Footer.VERSION_SLOT) || !broken.isReadable("version")) {
            return;
        }
        int version = footer.version();
        if (SupportedVersions.isSupported(version)) {
            footerVersion = version;
            return;
        }
        if (isSound) {
            return; // the second level tells
        }
        findings.add(
                FormatRules.UNSUPPORTED_VERSION,
                Finding.NO_MESSAGE,
                "version",
                footer.position(),
                "version=" + SupportedVersions.name(version) + ", supported=V4 and V5");
    }

    /// What cannot be read of the schema in the last message or footer, below the path `schema`.
    BrokenPaths broken() {
        return broken.part(index == Finding.NO_MESSAGE ? "schema" : "header.schema", "schema");
    }

    /// Whether one can go through a table, leaving out what is [#broken]: a limit that was hit says
    /// nothing of what comes behind.
    boolean isWalkable(String path) {
        return isSound || isCounted && broken.isReadable(path);
    }

    /// Whether nothing is wrong with the last footer's blocks, whatever may be with its schema.
    boolean hasBlocks() {
        return hasBlocks;
    }

    /// Whether a footer is sound, without telling what is wrong with it.
    boolean isFooter(MemorySegment memory, long at, int length) {
        return verifier.verify(Verifier.Root.FOOTER, memory, at, length);
    }

    /// Looks into what a schema says: that of the message, or of a footer.
    void schema(Schema bound, String path) {
        String where = path + ".endianness";
        if (!broken.isReadable(where)) {
            return;
        }
        endianness = bound.endianness();
        long offset = bound.position() + shift;
        if (!isSound && !Endianness.NAMES.isKnown(endianness)) {
            String details = "endianness=" + endianness;
            findings.add(FormatRules.UNKNOWN_ENDIANNESS, index, where, offset, details);
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

    /// How many bytes of metadata were verified: a measure of the work.
    long bytesVerified() {
        return bytesVerified;
    }
}
