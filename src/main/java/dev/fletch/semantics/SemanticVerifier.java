// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.LayoutException;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Tells whether metadata means something that a reader can trust: the second level of
/// verification, after [dev.fletch.format.Verifier] has accepted the bytes.
///
/// ```
/// SemanticVerifier meaning = new SemanticVerifier();   // keep it, use it again
/// meaning.beginStream();
/// for (…) {                                          // each message, from the schema on
///     if (!meaning.message(message)) {
///         throw meaning.fault().exception();
///     }
/// }
/// ```
///
/// It remembers the schema and the dictionaries: messages of a stream are handed in in their
/// order; those of a file, after the footer, in any order, and in the end [#endFile]. The first
/// fault ends a call; with [#collect] all are told.
///
/// Bodies are not looked into, but for the prefixes of compressed buffers where the body is at
/// hand. Tensors are not looked into beyond what all messages have in common.
///
/// **Bytes that the first level has not accepted** may lead out of their range: then a
/// [dev.fletch.FlatBufferFormatException] comes out. Bytes that it has accepted never make
/// an exception, whatever they say; work and memory are proportional to them.
///
/// Nothing is allocated per batch, for yes or no. A schema allocates what its batches are held
/// against. One thread at a time.
public final class SemanticVerifier {
    private static final int ANY = -1;
    private static final int V4 = 0;
    private static final int V5 = 1;
    private static final BatchPlan[][] NO_PLANS = new BatchPlan[2][];

    private final SemanticOptions options;
    private final Report report = new Report();
    private final KeyValue pair = new KeyValue();
    private final SchemaCheck schemas;
    private SchemaCheck leading;
    private final BatchCheck batches;
    private final DictionaryStates dictionaries;

    private final Schema schema = new Schema();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final ByteSlice bytes = new ByteSlice();

    // By version and number; without elements where there is no schema to hold batches against.
    private BatchPlan[][] plans = NO_PLANS;
    private boolean hasSchema;
    private boolean isFile;
    private ByteSlice body;

    /// Creates a verifier that checks what [SemanticOptions#DEFAULT] says.
    public SemanticVerifier() {
        this(SemanticOptions.DEFAULT);
    }

    /// Creates a verifier.
    ///
    /// @param options what to check
    public SemanticVerifier(SemanticOptions options) {
        this.options = Objects.requireNonNull(options, "options");
        schemas = new SchemaCheck(report, options);
        dictionaries = schemas.dictionaries;
        batches = new BatchCheck(report, options, dictionaries);
    }

    // ---- faults

    /// Hands all faults of the calls that follow to a sink, up to a limit for each call.
    ///
    /// @param sink where to; null to end each call with its first fault, as it is from the start
    /// @param limit faults of one call, at least 1; the call ends with the next one
    /// @throws IllegalArgumentException if `limit` is less than 1
    public void collect(FaultSink sink, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is not positive: limit=" + limit);
        }
        report.collect(sink, limit);
    }

    /// {@return the last fault of the last call; not present if it found none}
    public Fault fault() {
        return report.fault;
    }

    /// {@return how many faults the last call has found, 1 at most where none are collected; one
    /// more than the limit if there are more}
    public int faultCount() {
        return report.count();
    }

    private boolean verdict() {
        return report.count() == 0;
    }

    // ---- streams and files

    /// Forgets the schema and the dictionaries. The next message is a stream's first.
    public void beginStream() {
        forget();
        isFile = false;
    }

    /// Forgets the schema and the dictionaries, and begins a file whose footer is not available:
    /// its batches are compared with the schema of its first message.
    public void beginFile() {
        forget();
        isFile = true;
    }

    private void forget() {
        hasSchema = false;
        plans = NO_PLANS;
        report.begin();
    }

    /// Verifies a footer, and begins its file: batches are compared with its schema. Its version
    /// may be left out, as old writers do; blocks are checked when the file is opened.
    ///
    /// @param footer bound to a footer
    /// @return whether it means something
    public boolean footer(Footer footer) {
        beginFile();
        final int version = footer.version();
        final boolean goOn =
                version == MetadataVersion.V1 // which an absent one reads as
                        || isSupported(version)
                        || report.add(
                                UNSUPPORTED_VERSION,
                                footer.position(Footer.VERSION_SLOT),
                                version,
                                "version");
        if (!goOn || !pairs(footer)) {
            return false;
        }
        if (footer.schema(schema)) {
            begin(schema, "schema");
        } else {
            report.add(FOOTER_WITHOUT_SCHEMA, footer.position(), 0, "schema");
        }
        return verdict();
    }

    /// Verifies a file's dictionaries after all its blocks: that
    /// each one that is used is defined, and before something is appended to it.
    ///
    /// @param footer bound to the footer that [#footer] has verified
    /// @return whether they are
    public boolean endFile(Footer footer) {
        report.begin();
        final boolean isKnown = isFile && plans[V5] != null && !dictionaries.hasGaps();
        if (!isKnown || !footer.schema(schema)) {
            return true;
        }
        if (!dictionaries.end(footer)) {
            return false;
        }
        report.at("schema");
        schemas.undefined(schema);
        return verdict();
    }

    // ---- messages

    /// Verifies the next message of a stream.
    ///
    /// @param message bound to a message
    /// @return whether it means something in its place
    public boolean message(Message message) {
        return message(message, ANY, 0, null);
    }

    /// Verifies the next message of a stream with its body: prefixes of compressed buffers
    /// are checked, too.
    ///
    /// @param message bound to a message
    /// @param memory any kind of memory, which has the body
    /// @param bodyOffset offset of the body's first byte in it
    /// @return whether it means something in its place
    /// @throws IndexOutOfBoundsException if the body, as long as the message says, is not inside
    ///     `memory`
    public boolean message(Message message, MemorySegment memory, long bodyOffset) {
        return message(message, ANY, 0, body(message, memory, bodyOffset));
    }

    private ByteSlice body(Message message, MemorySegment memory, long bodyOffset) {
        return bytes.wrap(memory, bodyOffset, Math.max(0, message.bodyLength()));
    }

    /// Tells that a message in between cannot be read. It may have been any dictionary's, so that
    /// none counts as undefined from now on.
    public void skip() {
        dictionaries.skip();
    }

    /// Verifies the message of one of a file's blocks.
    ///
    /// @param message bound to a message
    /// @param kind what the block is for, one of [MessageHeader]
    /// @param place the block's index among the footer's blocks of that kind
    /// @return whether it means something in its place
    public boolean block(Message message, int kind, int place) {
        return message(message, kind, place, null);
    }

    /// Verifies the message of one of a file's blocks, with its body: prefixes of
    /// compressed buffers are checked, too.
    ///
    /// @param message bound to a message
    /// @param kind what the block is for, one of [MessageHeader]
    /// @param place the block's index among the footer's blocks of that kind
    /// @param memory any kind of memory, which has the body
    /// @param bodyOffset offset of the body's first byte in it
    /// @return whether it means something in its place
    /// @throws IndexOutOfBoundsException if the body, as long as the message says, is not inside
    ///     `memory`
    public boolean block(
            Message message, int kind, int place, MemorySegment memory, long bodyOffset) {
        return message(message, kind, place, body(message, memory, bodyOffset));
    }

    private boolean message(Message message, int kind, int place, ByteSlice bodyBytes) {
        report.begin();
        body = bodyBytes;
        final int version = message.version();
        if (!isSupported(version)) {
            final long at = message.position(Message.VERSION_SLOT);
            skip();
            report.add(UNSUPPORTED_VERSION, at, version, "version");
        } else if (bodyLength(message) && pairs(message)) {
            header(message, kind, place);
        }
        body = null;
        return verdict();
    }

    private static boolean isSupported(int version) {
        return version == MetadataVersion.V4 || version == MetadataVersion.V5;
    }

    private boolean bodyLength(Message message) {
        final long length = message.bodyLength();
        final long at = message.position(Message.BODY_LENGTH_SLOT);
        if (length < 0) {
            return report.add(NEGATIVE_BODY_LENGTH, at, length, "bodyLength");
        }
        return length % Long.BYTES == 0 || report.add(BODY_UNALIGNED, at, length, "bodyLength");
    }

    private boolean pairs(Message message) {
        for (int i = 0; i < message.customMetadataCount(); i++) {
            if (!SchemaCheck.pair(report, message.customMetadata(i, pair), i)) {
                return false;
            }
        }
        return true;
    }

    private boolean pairs(Footer footer) {
        for (int i = 0; i < footer.customMetadataCount(); i++) {
            if (!SchemaCheck.pair(report, footer.customMetadata(i, pair), i)) {
                return false;
            }
        }
        return true;
    }

    private void header(Message message, int wanted, int place) {
        final int type = message.headerType();
        final long at = message.position(Message.HEADER_TYPE_SLOT);
        if (type == MessageHeader.NONE || !message.isPresent(Message.HEADER_SLOT)) {
            skip();
            report.add(NO_HEADER, at, type, "header");
            return;
        }
        if (!MessageHeader.NAMES.isKnown(type)) {
            report.add(UNKNOWN_HEADER, at, type, "headerType");
            return;
        }
        final boolean right = wanted == ANY ? isNext(type) : type == wanted;
        if (!right && !report.add(HEADER_KIND, at, type, "headerType")) {
            return;
        }
        if (message.header(schema)) {
            schema(message);
        } else if (message.header(batch)) {
            report.at("header.recordBatch");
            check(batch, plan(message.version(), 0), message.bodyLength());
        } else if (message.header(dictionary)) {
            dictionary(message, place);
        }
    }

    /// A stream has one schema, in front; tensors have none.
    private boolean isNext(int type) {
        return switch (type) {
            case MessageHeader.SCHEMA -> !hasSchema;
            case MessageHeader.RECORD_BATCH, MessageHeader.DICTIONARY_BATCH -> hasSchema;
            default -> !hasSchema;
        };
    }

    // ---- schemas

    /// Verifies a schema that is in no message, and begins a stream of batches of it.
    ///
    /// @param bare bound to a schema
    /// @return whether it means something
    public boolean schema(Schema bare) {
        beginStream();
        begin(bare, "");
        return verdict();
    }

    private void schema(Message message) {
        final long length = message.bodyLength();
        final long at = message.position(Message.BODY_LENGTH_SLOT);
        if (length > 0 && !report.add(SCHEMA_WITH_BODY, at, length, "bodyLength")) {
            return;
        }
        if (!isFile || !hasSchema) {
            begin(schema, "header.schema");
            return;
        }
        // A file's batches are compared with its footer's schema, so this one is kept apart.
        if (leading == null) {
            leading = new SchemaCheck(report, options);
        }
        report.at("header.schema");
        leading.check(schema);
    }

    private void begin(Schema of, String prefix) {
        hasSchema = true;
        plans = NO_PLANS;
        report.at(prefix);
        schemas.check(of);
        if (!schemas.isSound()) {
            return;
        }
        try {
            final BatchPlan[][] made = new BatchPlan[2][];
            made[V5] = BatchPlan.compile(of, MetadataVersion.V5, schemas, options.limits());
            made[V4] =
                    schemas.hasUnion()
                            ? BatchPlan.compile(of, MetadataVersion.V4, schemas, options.limits())
                            : made[V5];
            plans = made;
        } catch (LayoutException e) {
            final int most = options.limits().fieldsIn(of.bufferLength());
            report.add(SCHEMA_TOO_LARGE, of.position(), most, "");
        }
    }

    // ---- batches

    /// Verifies a record batch against a layout, whatever came before.
    ///
    /// @param header bound to a record batch, or to that of a dictionary batch
    /// @param layout of its schema and metadata version, or of its dictionary
    /// @param bodyLength length of its body
    /// @return whether it means something
    public boolean batch(RecordBatch header, BatchLayout layout, long bodyLength) {
        report.begin();
        batches.check(header, BatchPlan.of(layout), isFile, bodyLength, null);
        return verdict();
    }

    private void check(RecordBatch header, BatchPlan plan, long bodyLength) {
        batches.check(header, plan, isFile, bodyLength, body);
    }

    /// Null if batches are held against nothing.
    private BatchPlan plan(int version, int number) {
        final BatchPlan[] of = plans[version == MetadataVersion.V4 ? V4 : V5];
        return of == null ? null : of[number];
    }

    private void dictionary(Message message, int place) {
        report.at("header.dictionaryBatch");
        final long id = dictionary.id();
        final int number = plans[V5] == null ? -1 : dictionaries.find(id);
        final long at = dictionary.position(DictionaryBatch.ID_SLOT);
        if (number < 0 && plans[V5] != null && !report.add(UNKNOWN_DICTIONARY, at, id, "id")) {
            return;
        }
        if (!dictionary.data(batch)) {
            report.add(NO_DICTIONARY_DATA, dictionary.position(), id, "data");
            return;
        }
        if (number >= 0 && !dictionaries.batch(dictionary, number, isFile, place)) {
            return;
        }
        report.at("header.dictionaryBatch.data");
        final BatchPlan plan = number < 0 ? null : plan(message.version(), 1 + number);
        check(batch, plan, message.bodyLength());
    }
}
