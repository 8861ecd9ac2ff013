// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.rules.BufferRange;
import dev.fletch.format.rules.DictionaryOrder;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RewriteException;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.forward.Projection;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.walk.FrameCheck;
import dev.fletch.ipc.walk.Work;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.LayoutException;
import dev.fletch.model.ArrowSchema;
import dev.fletch.range.ByteRange;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.values.walk.MessageValues;
import dev.fletch.wire.Escaper;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Writes the schema, dictionaries and batches of an input as a file or stream.
///
/// Finds all messages, and those to leave out, before it writes the first byte. Copies bodies
/// without decoding them. Dictionaries come before the batches and dictionaries that refer to them.
public final class Conversion {
    private static final int BODY_ALIGNMENT = Long.BYTES;
    // The most messages to name that are left out, or without a block.
    static final int MOST_NAMED = 20;
    // The most ranges of a remote input to request at once, and those of one message.
    private static final int MOST_RANGES = 100_000;
    static final String NO_SCHEMA =
            "; no schema found, so nothing can be converted; --schema takes it from a file";
    // Permits schemas that break rules: the check of all messages reports them.
    private static final Rule[] ANY_RULE = MeaningRule.values();
    private static final VerifierOptions UTF8 =
            VerifierOptions.ARROW_CPP.with(VerifierOptions.Check.UTF8, true);
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[BODY_ALIGNMENT]);

    /// The chosen columns are not in the schema, or cannot be written without others.
    public static final class WrongColumns extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        WrongColumns(String message) {
            super(message);
        }
    }

    /// A message to write.
    ///
    /// @param offset in the input
    /// @param kind one of [MessageHeader]
    /// @param dictionaryId of a dictionary batch
    /// @param isDelta whether it is a delta
    record Place(long offset, int kind, long dictionaryId, boolean isDelta) {
        static Place of(EncapsulatedMessage at, Message of, DictionaryBatch dictionary) {
            return of.header(dictionary)
                    ? new Place(at.offset(), of.headerType(), dictionary.id(), dictionary.isDelta())
                    : new Place(at.offset(), of.headerType(), 0, false);
        }

        boolean isDictionary() {
            return kind == MessageHeader.DICTIONARY_BATCH;
        }
    }

    /// Notes of one kind, of which the first are shown.
    static final class Notes {
        private final List<String> notes;
        private long count;

        Notes(List<String> notes) {
            this.notes = notes;
        }

        void add(String note) {
            if (isShown()) {
                notes.add(note);
            }
        }

        /// Counts a note. Returns whether it is one of the first.
        boolean isShown() {
            return count++ < MOST_NAMED;
        }

        boolean isFull() {
            return count >= MOST_NAMED;
        }

        void end(String more) {
            if (count > MOST_NAMED) {
                notes.add(more + ": count=" + (count - MOST_NAMED));
            }
        }
    }

    private final Input input;
    private final MemorySegment memory;
    private final ConvertOptions options;
    private final boolean salvages;
    private final boolean leavesOutColumns;
    private final ArrowContainer target;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCodec codec = new BatchCodec();
    private final SegmentList body = new SegmentList();

    private List<Place> places = new ArrayList<>();
    // The footer whose schema and custom metadata are kept; null if there is none.
    private Footer footer;
    // Custom metadata that only the footer has; null if both have the same.
    private CustomMetadata ofFooter;
    // The schema message of the input, and the offset of its metadata; null if there is none.
    private MemorySegment written;
    private long writtenAt;
    // The schema message to write; null for tensors.
    private MemorySegment schema;
    // Whether it is that of the options.
    private boolean usesOther;
    // Null for all columns.
    private Projection projection;
    // The numbers of the chosen columns in the layout of all.
    private int[] chosen;
    // By version of the batches.
    private final Map<Integer, BatchProjector> projectors = new HashMap<>();
    // Null if no columns are left out, and until an error is found.
    private SoundColumns columns;
    // Null if the messages keep their versions.
    private LaterVersion later;
    // The schema message with the chosen columns.
    private MemorySegment chosenSchema;
    private final List<String> notes = new ArrayList<>();
    // Damage that is repaired, or left out.
    private final List<InvalidInput> noted = new ArrayList<>();
    private final List<InvalidInput> leftOut = new ArrayList<>();
    private long leftOutCount;
    private long batches;
    private long rows;

    /// @param options all but limits and monitor, which are those of the input
    public Conversion(Input input, ConvertOptions options) {
        this.input = input;
        this.memory = input.memory();
        this.options = options;
        this.target = options.target() == null ? input.container() : options.target();
        this.salvages = !options.salvage().isEmpty();
        this.leavesOutColumns = options.salvage().contains(ConvertOptions.Salvage.SOUND_COLUMNS);
    }

    /// File or stream: what is written.
    public ArrowContainer target() {
        return target;
    }

    /// What was left out and why, in the order of the offsets; at most the first [#MOST_NAMED].
    public List<InvalidInput> leftOut() {
        return leftOut;
    }

    /// All damage, in the order of the offsets: what was left out and, of the notes, what was not.
    public List<InvalidInput> damages() {
        List<InvalidInput> all = new ArrayList<>(noted);
        all.addAll(leftOut);
        all.sort(Comparator.comparingLong(InvalidInput::offset));
        return all;
    }

    /// The notes that are not among the [#damages].
    public List<String> otherNotes() {
        return notes.subList(noted.size(), notes.size());
    }

    /// Number of parts that were left out.
    public long leftOutCount() {
        return leftOutCount;
    }

    /// Notes for the user.
    public List<String> notes() {
        return notes;
    }

    /// Number of record batches that were written.
    public long batches() {
        return batches;
    }

    /// Number of rows of the record batches that were written.
    public long rows() {
        return rows;
    }

    /// If salvaging has found errors of columns, the paths of those without; otherwise empty.
    public List<String> soundColumns() {
        return columns == null || columns.wrong().length == 0
                ? List.of()
                : Arrays.stream(columns.sound()).mapToObj(columns::path).toList();
    }

    // ---- the messages to write

    /// Finds the messages.
    ///
    /// @throws InvalidInput if a message is incomplete or damaged and may not be left out, or if
    ///     there is no schema
    public void find() throws IOException {
        if (input.form() == Form.FLATBUFFER) {
            throw InvalidInput.notConvertible(
                    0, "input is a flatbuffer without batches to convert");
        }
        if (input.skipped() > 0) {
            notes.add(
                    input.container().name().toLowerCase(Locale.ROOT)
                            + " begins behind other bytes, and offsets count from there: offset="
                            + input.skipped());
        }
        collect();
        if (input.form() == Form.FILE) { // a stream has no batches before their dictionaries
            places.sort(Comparator.comparing(each -> !each.isDictionary()));
        }
        schema = footer == null ? written : schema(written);
        requireSchema();
        oneMetadata(written);
        innerDictionariesFirst();
        project();
        leaveOutWrongColumns();
        leaveOutInvalid();
        places.removeIf(each -> each.isDictionary() && !isNeeded(each.dictionaryId()));
        leaveOutWrongValues();
        leaveOutUnusedDictionaries();
        requireOneOfEach();
        oneVersion();
        addNoted();
        if (options.values() == null) { // else they were loaded before
            load();
        }
    }

    /// Opens the input of a conversion: for salvage, also behind other bytes.
    public static Input open(InputBytes bytes, ConvertOptions options) throws IOException {
        ReadOptions reading = ReadOptions.DEFAULT.withLimits(options.limits());
        return !options.salvage().isEmpty()
                ? Input.behindOthers(bytes, reading)
                : Input.of(bytes, reading);
    }

    /// What to read of a remote input at first: all if it is searched for messages; with chosen
    /// columns, their ranges follow.
    public static Need need(ConvertOptions options) {
        return options.columns() == null || !options.salvage().isEmpty()
                ? Need.ALL
                : Need.ALL_BUT_BODIES;
    }

    /// Reads the chosen columns of a remote input.
    private void load() throws IOException {
        if (projection == null || input.bytes().hasBodies()) {
            return;
        }
        List<ByteRange> ranges = new ArrayList<>();
        Set<Long> offsets = new HashSet<>();
        for (Place each : places) {
            if (!offsets.add(each.offset())) {
                continue;
            }
            frame.wrap(memory, each.offset(), message);
            BatchProjector projector = projector();
            projector.write(message);
            for (int i = 0; i < projector.rangeCount(); i++) {
                long at = frame.bodyOffset() + projector.rangeOffset(i);
                ranges.add(new ByteRange(at, projector.rangeLength(i)));
            }
            if (ranges.size() > MOST_RANGES) {
                input.bytes().load(ranges);
                ranges.clear();
            }
        }
        input.bytes().load(ranges);
    }

    /// Collects the messages of the input.
    ///
    private void collect() throws IOException {
        InputMessages messages = new InputMessages(input, options, this::note, notes);
        messages.collect();
        places = messages.places();
        footer = messages.footer();
        messages.damages().forEach(this::leaveOut);
        leftOutCount += messages.moreDamages();
        written = messages.schema();
        writtenAt = messages.schemaAt();
    }

    private void note(InvalidInput fault) {
        noted.add(fault);
    }

    /// Adds the notes of damage before the others, unless it is reported as left out.
    private void addNoted() {
        Set<Long> reported = new HashSet<>();
        leftOut.forEach(each -> reported.add(each.offset()));
        noted.sort(Comparator.comparingLong(InvalidInput::offset));
        noted.removeIf(each -> reported.contains(each.offset()));
        for (int i = 0; i < noted.size(); i++) {
            notes.add(i, noted.get(i).line());
        }
    }

    // ---- the schema

    /// Chooses between the schema message and the footer's schema. If both are equal, it is the
    /// message. Otherwise it is the footer's schema; with `--salvage`, it is the message's if fewer
    /// messages break a rule with it.
    ///
    /// @param written the schema message; null if absent
    private MemorySegment schema(MemorySegment written) {
        Schema ofFooter = new Schema();
        footer.schema(ofFooter); // which it has, or it is not used
        if (written == null) {
            return schemaMessage(ofFooter);
        }
        Schema ofMessage = new Schema();
        new Message().wrap(written).header(ofMessage);
        MemorySegment encoded = null;
        try {
            encoded = schemaMessage(ofFooter);
            if (encoded.mismatch(schemaMessage(ofMessage)) < 0) {
                return written;
            }
        } catch (InvalidInput e) {
            if (encoded == null && !salvages) {
                throw e;
            }
        }
        boolean usesMessage = encoded == null || salvages && errors(written) < errors(encoded);
        notes.add(
                "schema message and footer have different schemas; the schema of the "
                        + (usesMessage ? "message" : "footer")
                        + " is used");
        return usesMessage ? written : encoded;
    }

    /// Gives the schema message the custom metadata of the footer, which must be the same; that of
    /// the message stays if the footer has none. If only the footer has some, as Arrow C++ writes
    /// it, that stays so in a file.
    ///
    /// @param written the schema message of the input; null if absent
    private void oneMetadata(MemorySegment written) {
        if (footer == null) {
            return;
        }
        CustomMetadata ofMessage = metadata(written, null);
        CustomMetadata pairs = metadata(null, footer);
        if (target == ArrowContainer.FILE
                && written != null
                && ofMessage.count() == 0
                && pairs.count() != 0) {
            ofFooter = pairs;
            return;
        }
        if (!Models.metadata(pairs).diff(Models.metadata(ofMessage)).isEmpty()) {
            pairs = pairs.count() == 0 ? ofMessage : pairs;
            if (written != null) {
                notes.add(
                        "schema message and footer have different custom metadata; that of the "
                                + (pairs == ofMessage ? "message" : "footer")
                                + " is used");
            }
        } else if (schema == written) {
            return;
        }
        int version = new Message().wrap(schema).version();
        MetadataEdit edit = new MetadataEdit().customMetadata(pairs);
        schema = schemaMessage(schemaOf(schema), version, edit);
    }

    /// The custom metadata of a message or a footer; either may be null.
    private static CustomMetadata metadata(MemorySegment message, Footer footer) {
        CustomMetadata pairs = new CustomMetadata();
        try {
            pairs = message == null ? pairs : pairs.addAll(new Message().wrap(message));
            return footer == null ? pairs : pairs.addAll(footer);
        } catch (IllegalArgumentException e) {
            throw notWritable(e, 0);
        }
    }

    /// The schema in a message; null if there is none.
    private static Schema schemaOf(MemorySegment message) {
        Schema found = new Schema();
        return message != null && new Message().wrap(message).header(found) ? found : null;
    }

    private void requireSchema() {
        ArrowSchema other = options.schema();
        usesOther = schema == null && other != null;
        if (usesOther) {
            schema = other.toMessage(EmissionOrder.ARROW_CPP, ANY_RULE);
            new Message().wrap(schema).setVersion(version(MetadataVersion.V5));
            notes.add("the input has no schema; that of --schema is used");
            return;
        }
        if (other != null) {
            notes.add("the schema of the input is used, not that of --schema");
        }
        if (schema != null) {
            return;
        }
        if (places.isEmpty()) {
            FrameCheck.noMessage(0, "", InvalidInput::raise);
        }
        Place first = places.getFirst();
        if (first.kind() != MessageHeader.TENSOR && first.kind() != MessageHeader.SPARSE_TENSOR) {
            frame.wrap(memory, first.offset(), message);
            FrameCheck.leadingSchema(
                    first.offset(), FrameKind.MESSAGE, message, InvalidInput::raise);
        }
    }

    /// Version of the messages; old writers omit the footer's version.
    ///
    /// @param other the version if there are no messages
    private int version(int other) {
        if (places.isEmpty()) {
            return other;
        }
        frame.wrap(memory, places.getFirst().offset(), message);
        return message.version();
    }

    /// Compiles the choice of columns.
    private void project() {
        if (options.columns() == null) {
            return;
        }
        Schema of = schemaOf(schema);
        if (of == null) {
            throw InvalidInput.notConvertible(0, "input has no columns to choose");
        }
        try {
            choose(
                    layout -> {
                        Stream<String> paths = options.columns().stream();
                        return paths.mapToInt(layout::fieldOf).toArray();
                    });
        } catch (IllegalArgumentException e) {
            throw new WrongColumns(e.getMessage());
        } catch (LayoutException e) {
            if (e.rule() == MeaningRule.NO_COLUMN) {
                throw new WrongColumns(e.getMessage());
            }
            throw new InvalidInput(e.rule(), 0, e.getMessage());
        }
    }

    /// Chooses the columns to write.
    ///
    /// @param fields their numbers in the layout of all
    private void choose(Function<BatchLayout, int[]> fields) {
        Schema of = schemaOf(schema);
        int version = new Message().wrap(schema).version();
        BatchLayout all = BatchLayout.compile(of, version, input.limits());
        chosen = fields.apply(all);
        projection = Projection.of(all.choose(chosen));
        projectors.clear();
        MetadataEdit edit = projection.edit().customMetadata(metadata(schema, null));
        chosenSchema = schemaMessage(of, version, edit);
    }

    /// The choice in batches of a version.
    private Projection projection(int version) {
        BatchLayout all = BatchLayout.compile(schemaOf(schema), version, input.limits());
        return Projection.of(all.choose(chosen));
    }

    /// The projector of batches of the current message's version.
    private BatchProjector projector() {
        return projectors.computeIfAbsent(
                message.version(),
                version -> new BatchProjector(projection(version), EmissionOrder.ARROW_CPP));
    }

    // ---- columns with errors

    /// Where to collect columns with errors; null if they cannot be named.
    private SoundColumns columns() {
        if (columns == null && salvages) {
            int version = new Message().wrap(schema).version();
            try {
                columns =
                        new SoundColumns(
                                BatchLayout.compile(schemaOf(schema), version, input.limits()),
                                options.columns());
            } catch (LayoutException _) {
                return null; // the check of the schema reports the fault
            }
        }
        return columns;
    }

    /// Adds the errors of a message by their fields, of a dictionary as a whole.
    private void addErrors(Place of, Map<Integer, InvalidInput> byField) {
        SoundColumns to = byField.isEmpty() ? null : columns();
        if (to != null && of.isDictionary()) {
            to.addDictionary(of.dictionaryId(), byField.values().iterator().next());
        } else if (to != null) {
            to.addBatch(byField);
        }
    }

    /// Leaves out the columns with errors in metadata, if these are to be left out.
    private void leaveOutWrongColumns() {
        if (!leavesOutColumns || schema == null) {
            return;
        }
        MessageErrors errors = new MessageErrors(SemanticOptions.DEFAULT);
        if (error(errors, schema) != null) {
            return; // the schema is an error
        }
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            errors.error(frame, message);
            addErrors(each, errors.byField());
        }
        addMissing(errors, errors.missingDictionaries(_ -> true));
        withoutWrongColumns();
    }

    private void addMissing(MessageErrors errors, InvalidInput missing) {
        if (missing != null && columns() != null) {
            errors.missing().forEach(id -> columns.addDictionary(id, missing));
        }
    }

    /// Writes only the columns without errors.
    private void withoutWrongColumns() {
        int[] wrong = columns == null ? new int[0] : columns.wrong();
        if (wrong.length == 0) {
            return;
        }
        if (columns.sound().length == 0) {
            throw columns.error(wrong[0]).with("; no column is sound in all batches");
        }
        choose(_ -> columns.sound());
        places.removeIf(each -> each.isDictionary() && !isNeeded(each.dictionaryId()));
    }

    private void reportWrongColumns() {
        if (leavesOutColumns && columns != null) {
            for (int each : columns.wrong()) {
                InvalidInput error = columns.error(each);
                String path = Escaper.name(columns.path(each));
                String text = "column is left out: column=" + path + ": " + error.getMessage();
                leaveOut(new InvalidInput(error.rule(), error.offset(), text));
            }
        }
    }

    private boolean isNeeded(long dictionaryId) {
        return projection == null || projection.needsDictionary(dictionaryId);
    }

    /// Leaves out messages with errors, by the rules of `fletch verify`.
    private void leaveOutInvalid() {
        MessageErrors errors = new MessageErrors(SemanticOptions.DEFAULT);
        InvalidInput wrong = schema == null ? null : error(errors, schema); // null for tensors
        if (wrong != null) {
            throw located(wrong);
        }
        MessageErrors ofChoice = new MessageErrors(SemanticOptions.DEFAULT);
        if (projection != null) {
            error(ofChoice, chosenSchema);
        }
        InvalidInput first = null;
        Notes elsewhere = new Notes(notes);
        List<Place> sound = new ArrayList<>();
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            Work.worked(frame.metadataLength());
            InvalidInput whole = errors.error(frame, message);
            InvalidInput error = ofChoice(whole, ofChoice, elsewhere);
            if (error == null) {
                sound.add(each);
                continue;
            }
            if (whole != null && !leavesOutColumns) {
                addErrors(each, errors.byField());
            }
            leaveOut(error);
            first = first == null ? error : first;
        }
        places = sound;
        elsewhere.end("more messages are damaged in other columns");
        if (usesOther && places.isEmpty() && first != null) {
            throw new InvalidInput(
                    first.rule(),
                    first.offset(),
                    "schema of --schema does not fit: " + first.getMessage());
        }
        InvalidInput missing = errors.missingDictionaries(this::isNeeded);
        if (missing != null) {
            addMissing(errors, missing);
            leaveOut(missing);
        }
    }

    /// Leaves out messages whose values have errors, and those that need a dictionary with errors.
    /// After a delta that is left out, so are later ones: their values would have other indices.
    private void leaveOutWrongValues() throws IOException {
        Map<Place, Map<Integer, InvalidInput>> errors = valueErrors();
        errors.forEach(this::addErrors);
        if (leavesOutColumns) {
            withoutWrongColumns();
            reportWrongColumns();
        }
        List<Place> sound = new ArrayList<>();
        Map<Long, Rule> wrong = new TreeMap<>(); // dictionaries, and what is wrong
        for (Place each : places) {
            long id = each.dictionaryId();
            InvalidInput error = firstError(errors.get(each));
            if (error == null && each.isDelta() && wrong.containsKey(id)) {
                error = leftOut(wrong.get(id), each, "delta of", id);
            } else if (error == null && !each.isDictionary() && !wrong.isEmpty()) {
                long other = wrong.keySet().iterator().next();
                error = leftOut(wrong.get(other), each, "values are those of", other);
            }
            if (error != null) {
                leaveOut(error);
            } else {
                sound.add(each);
            }
            if (each.isDictionary() && error != null) {
                wrong.put(id, error.rule());
            } else if (each.isDictionary()) {
                wrong.remove(id);
            }
        }
        places = sound;
    }

    /// The first of the errors that are in columns to write; null if there is none.
    private InvalidInput firstError(Map<Integer, InvalidInput> byField) {
        if (byField == null) {
            return null;
        }
        return leavesOutColumns && columns != null
                ? columns.errorInSound(byField)
                : byField.values().iterator().next();
    }

    private static InvalidInput leftOut(Rule cause, Place place, String what, long id) {
        String text = what + " a dictionary that is left out: id=" + id;
        return new InvalidInput(cause, place.offset(), text);
    }

    /// The first error in the values of each field of each message, by the rules of
    /// [dev.fletch.ValueRule].
    private Map<Place, Map<Integer, InvalidInput>> valueErrors() throws IOException {
        Map<Place, Map<Integer, InvalidInput>> errors = new LinkedHashMap<>();
        Schema of = schemaOf(schema);
        boolean hasColumns = options.columns() == null || !options.columns().isEmpty();
        if (options.values() == null || of == null || !hasColumns) {
            return errors;
        }
        load();
        List<String> paths = options.columns() == null ? List.of() : options.columns();
        FaultSink first =
                new FaultSink() {
                    @Override
                    public void accept(Fault fault) {
                        addFirst(fault, errors);
                    }

                    @Override
                    public boolean isFull() {
                        return !salvages && !errors.isEmpty(); // then nothing is written
                    }
                };
        MessageValues values = new MessageValues(paths, options.values(), input.limits(), first);
        values.begin(of, true, false);
        for (int i = 0; i < places.size(); i++) {
            frame.wrap(memory, places.get(i).offset(), message);
            frame.nextOffset(); // throws if the body is not inside the input
            long at = frame.metadataOffset();
            values.message(message, i, i, memory, at, frame.metadataLength(), true);
        }
        values.finish();
        return errors;
    }

    private void addFirst(Fault fault, Map<Place, Map<Integer, InvalidInput>> errors) {
        if (fault.rule().severity() == Severity.NOTE) {
            notes.add(fault.text());
        } else if (fault.rule().severity() == Severity.ERROR) {
            Place place = places.get(fault.message());
            SoundColumns all = place.isDictionary() ? null : columns();
            int field = all == null ? SoundColumns.NO_FIELD : all.source(fault.field());
            errors.computeIfAbsent(place, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(field, _ -> invalidValues(fault));
        }
    }

    private static InvalidInput notWritable(RuntimeException cause, long offset) {
        String text = "schema cannot be written: " + cause.getMessage();
        return cause instanceof FletchException known
                ? new InvalidInput(known.rule(), offset, text)
                : InvalidInput.notConvertible(offset, text);
    }

    private static InvalidInput invalidValues(Fault fault) {
        String text = fault.rule().id() + ": " + fault.text();
        return new InvalidInput(fault.rule(), fault.position(), "values are invalid: " + text);
    }

    /// The fault for which the current message is left out; null if there is none, or if damage may
    /// be left out and is only in columns that are not chosen.
    ///
    /// @param whole the fault of all columns; null if there is none
    /// @param elsewhere receives damage of other columns
    private InvalidInput ofChoice(InvalidInput whole, MessageErrors errors, Notes elsewhere) {
        if (projection == null) {
            return whole;
        }
        InvalidInput chosen = errorOfChoice(whole != null, errors);
        if (chosen == null && whole != null && salvages) {
            if (!leavesOutColumns) { // else the column is reported
                elsewhere.add(whole.with("; not in a chosen column").line());
            }
            return null;
        }
        return chosen == null ? whole : chosen;
    }

    /// @param isDamaged whether a column has a fault, which may be a chosen one
    private InvalidInput errorOfChoice(boolean isDamaged, MessageErrors errors) {
        try {
            BatchProjector projector = projector();
            int length = projector.write(message);
            // Those of dictionaries are always checked: a delta needs the ones before.
            boolean isBatch = message.headerType() == MessageHeader.RECORD_BATCH;
            if (length == 0 || isBatch && !isDamaged) {
                return null;
            }
            InvalidInput found = error(errors, projector.written().asSlice(0, length));
            if (found != null) {
                return found.at(frame.offset());
            }
            requireEmptyInside();
            return null;
        } catch (InvalidInput e) {
            return e;
        } catch (FletchException e) {
            String text = "message is invalid: " + e.getMessage();
            return new InvalidInput(e.rule(), frame.offset(), text);
        }
    }

    /// Requires that the empty buffers of the chosen columns are inside the body. The projection
    /// places them anew.
    private void requireEmptyInside() {
        BatchLayout layout = projection.layout();
        BatchCursor cursor = new BatchCursor();
        cursor.bind(
                message.header(dictionary) ? layout.dictionaryLayout(dictionary.id()) : layout,
                message);
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            String path = cursor.layout().pathString(field);
            String column = "column=" + Escaper.shortenedName(path) + ", ";
            BufferRange ranges =
                    new BufferRange(
                            FaultSink.throwing(
                                    fault ->
                                            new InvalidInput(
                                                    fault.rule(),
                                                    frame.inputOffset(fault.position()),
                                                    MessageErrors.text(
                                                            false,
                                                            fault.rule(),
                                                            column + fault.found()))),
                            true);
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                int index = cursor.bufferIndex(field, i);
                Buffer buffer = cursor.batch().buffers(index, new Buffer());
                ranges.check(buffer, message.bodyLength(), "buffers", index);
            }
        }
    }

    /// An error of the schema at its place in the input: in the footer, if that has it, or else in the
    /// schema message.
    private InvalidInput located(InvalidInput error) {
        InvalidInput ofFooter =
                input.hasFooter()
                        ? new MessageErrors(SemanticOptions.DEFAULT).footer(footer)
                        : null;
        return ofFooter != null
                ? ofFooter
                : error.at(schema == written ? writtenAt + error.offset() : 0);
    }

    private static InvalidInput error(MessageErrors errors, MemorySegment metadata) {
        EncapsulatedMessage alone = new EncapsulatedMessage();
        Message of = new Message();
        alone.wrapMetadata(metadata, 0, (int) metadata.byteSize(), of);
        return errors.error(alone, of);
    }

    /// Leaves out the dictionaries of a stream if no batch is left: Arrow C++ does not open a
    /// stream that starts with only some of its schema's dictionaries.
    private void leaveOutUnusedDictionaries() {
        if (leftOutCount == 0
                || target != ArrowContainer.STREAM
                || places.stream().anyMatch(each -> each.kind() == MessageHeader.RECORD_BATCH)) {
            return;
        }
        if (places.removeIf(Place::isDictionary)) {
            notes.add("dictionaries are left out: no batch uses them");
        }
    }

    /// The number of messages with errors if this is their schema, also with buffers too small for
    /// their values. Missing dictionaries count as one, and text of the schema that is not UTF-8,
    /// which is a deviation.
    private int errors(MemorySegment of) {
        MessageErrors errors = new MessageErrors(SemanticOptions.STRICT);
        int count = error(errors, of) == null ? 0 : 1;
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            count += errors.error(frame, message) == null ? 0 : 1;
        }
        boolean isText = new Verifier(UTF8).verify(Verifier.Root.MESSAGE, of);
        return count + (isText ? 0 : 1) + (errors.missingDictionaries(_ -> true) == null ? 0 : 1);
    }

    /// Moves dictionaries in front of those whose values refer to them, among dictionaries without
    /// another message between them: batches between two dictionaries may need the first, but not
    /// the second.
    private void innerDictionariesFirst() {
        Schema of = schemaOf(schema);
        Map<Long, Set<Long>> inner = of == null ? Map.of() : innerDictionaries(of);
        if (inner.isEmpty()) {
            return;
        }
        List<Place> ordered = new ArrayList<>();
        Map<Long, List<Place>> waiting = new LinkedHashMap<>();
        for (Place each : places) {
            if (each.isDictionary()) {
                waiting.computeIfAbsent(each.dictionaryId(), _ -> new ArrayList<>()).add(each);
            } else {
                release(waiting, inner, ordered);
                ordered.add(each);
            }
        }
        release(waiting, inner, ordered);
        places = ordered;
    }

    private static void release(
            Map<Long, List<Place>> waiting, Map<Long, Set<Long>> inner, List<Place> into) {
        for (Long id : List.copyOf(waiting.keySet())) {
            release(id, waiting, inner, into);
        }
    }

    /// Adds the messages of a dictionary after those that its values refer to. Recursive: at most
    /// as deep as the fields of the schema.
    private static void release(
            Long id, Map<Long, List<Place>> waiting, Map<Long, Set<Long>> inner, List<Place> into) {
        List<Place> own = waiting.remove(id);
        if (own != null) {
            for (Long each : inner.getOrDefault(id, Set.of())) {
                release(each, waiting, inner, into);
            }
            into.addAll(own);
        }
    }

    /// The dictionaries that the values of each dictionary refer to.
    private static Map<Long, Set<Long>> innerDictionaries(Schema of) {
        BatchLayout layout;
        try {
            layout = BatchLayout.compile(of, MetadataVersion.V5);
        } catch (LayoutException _) {
            return Map.of(); // the check of the schema reports the fault
        }
        Map<Long, Set<Long>> inner = new HashMap<>();
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            BatchLayout values = layout.dictionaryLayout(id);
            for (int field = 0; field < values.fieldCount(); field++) {
                if (values.isDictionaryEncoded(field) && values.dictionaryId(field) != id) {
                    inner.computeIfAbsent(id, _ -> new HashSet<>()).add(values.dictionaryId(field));
                }
            }
        }
        return inner;
    }

    /// Rejects dictionary replacement if input or output is a file: the file format does not allow
    /// it.
    private void requireOneOfEach() {
        if (target == ArrowContainer.STREAM && input.form() == Form.STREAM) {
            return;
        }
        Set<Long> ids = new HashSet<>();
        for (Place each : places) {
            if (each.isDictionary() && !each.isDelta() && !ids.add(each.dictionaryId())) {
                throw new InvalidInput(
                        DictionaryOrder.replaced(each.offset(), each.dictionaryId()));
            }
        }
    }

    // ---- versions

    /// Gives all messages one metadata version: the schema that of the batches or, if these differ,
    /// all V5. Notes what stays different.
    private void oneVersion() {
        if (schema == null) {
            return;
        }
        Set<Integer> versions = new TreeSet<>();
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            versions.add(message.version());
        }
        boolean areMixed = versions.size() > 1;
        int version = areMixed ? MetadataVersion.V5 : version(new Message().wrap(schema).version());
        versions.add(new Message().wrap(schema).version());
        if (versions.size() == 1) {
            return;
        }
        String found = "messages have several metadata versions";
        try {
            if (areMixed) {
                later = later();
                rewriteAll();
            }
            schema = withVersion(schema, version);
            chosenSchema = chosenSchema == null ? null : withVersion(chosenSchema, version);
            notes.add(found + "; all are written as " + MetadataVersion.NAMES.name(version));
        } catch (FletchException e) {
            later = null;
            notes.add(found + ", which stay: " + e.getMessage());
        }
    }

    private LaterVersion later() {
        BatchLayout[] layouts = new BatchLayout[2];
        int[] versions = {MetadataVersion.V4, MetadataVersion.V5};
        for (int i = 0; i < layouts.length; i++) {
            Schema of = schemaOf(schema);
            layouts[i] =
                    projection == null
                            ? BatchLayout.compile(of, versions[i], input.limits())
                            : projection(versions[i]).layout().alone();
        }
        return new LaterVersion(layouts[0], layouts[1]);
    }

    /// Throws if a message cannot be rewritten.
    private void rewriteAll() {
        for (Place each : places) {
            frame.wrap(memory, each.offset(), message);
            if (message.version() == MetadataVersion.V4) {
                rewritten();
            }
        }
    }

    /// The metadata of the current message as it is written. Its body is in [#body], padded.
    private MemorySegment rewritten() {
        MemorySegment metadata;
        if (projection != null) {
            BatchProjector projector = projector();
            int length = projector.write(message);
            projector.body(memory, frame.bodyOffset(), body);
            metadata = projector.written().asSlice(0, length);
        } else {
            long padding = padding();
            body.reset().add(memory, frame.bodyOffset(), frame.bodyLength()).add(ZEROS, 0, padding);
            metadata = isCodecNamed() ? withCompression(padding) : lengthened(padding);
        }
        boolean isLater = later != null && message.version() == MetadataVersion.V4;
        return isLater ? later.of(metadata) : metadata;
    }

    private static MemorySegment withVersion(MemorySegment metadata, int version) {
        MemorySegment copy = MemorySegment.ofArray(metadata.toArray(ValueLayout.JAVA_BYTE));
        new Message().wrap(copy).setVersion(version);
        return copy;
    }

    private void requireSalvage(InvalidInput fault) {
        if (!salvages) {
            throw fault.with("; --salvage converts the complete batches");
        }
    }

    /// Leaves out a message and records its fault; without `--salvage`, throws.
    private void leaveOut(InvalidInput fault) {
        requireSalvage(fault);
        leftOutCount++;
        leftOut.add(fault);
        leftOut.sort(Comparator.comparingLong(InvalidInput::offset));
        if (leftOut.size() > MOST_NAMED) {
            leftOut.removeLast();
        }
    }

    // ---- writing

    /// Writes all messages. Does not close the channel.
    public void write(WritableByteChannel channel) throws IOException {
        MessageWriter writer = MessageWriter.of(target, channel).missingDictionaries(salvages);
        try {
            if (schema != null) {
                writer.write(projection == null ? schema : chosenSchema);
            }
            for (int i = 0; i < places.size(); i++) {
                Work.reached(i, places.size());
                copy(writer, places.get(i).offset());
            }
            finish(writer);
        } catch (RewriteException | IllegalArgumentException e) {
            throw notWritable(e, 0);
        }
    }

    private void finish(MessageWriter writer) throws IOException {
        if (ofFooter == null) {
            writer.finish();
            return;
        }
        Message written = new Message().wrap(projection == null ? schema : chosenSchema);
        Schema of = new Schema();
        written.header(of);
        FlatBufferWriter buffer = new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect()).reset();
        new MetadataWriter(EmissionOrder.ARROW_CPP, buffer)
                .schemaFooter(of, written.version(), new MetadataEdit().footerMetadata(ofFooter));
        writer.finish(new Footer().wrap(buffer.segment()));
    }

    /// Encodes a schema: schemas with the same content have the same bytes.
    private MemorySegment schemaMessage(Schema of) {
        return schemaMessage(of, version(footer.version()), new MetadataEdit());
    }

    private static MemorySegment schemaMessage(Schema of, int version, MetadataEdit edit) {
        FlatBufferWriter buffer = new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect());
        try {
            new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset())
                    .schemaMessage(of, version, edit);
        } catch (FletchException e) {
            throw notWritable(e, of.position());
        }
        return buffer.segment();
    }

    private void copy(MessageWriter writer, long offset) throws IOException {
        frame.wrap(memory, offset, message);
        try {
            long bytes = frame.nextOffset() - frame.bodyOffset();
            boolean isLater = later != null && message.version() == MetadataVersion.V4;
            if (projection != null && !isLater) {
                projector().forward(memory, frame, message, writer);
            } else if (isLater || isCodecNamed() || padding() > 0) {
                writer.write(rewritten(), body);
            } else if (bytes > 0 && input.channel() != null) {
                writer.write(
                        memory,
                        frame.metadataOffset(),
                        frame.metadataLength(),
                        input.channel(),
                        frame.bodyOffset());
            } else {
                writer.copy(memory, frame);
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            leaveOut(InvalidInput.notConvertible(offset, e.getMessage()));
            return;
        }
        if (message.header(batch)) {
            batches++;
            rows += Math.clamp(batch.length(), 0, Long.MAX_VALUE - rows);
        }
    }

    private boolean isCodecNamed() {
        boolean isBatch =
                message.header(batch) || message.header(dictionary) && dictionary.data(batch);
        return isBatch && codec.read(batch) && codec.isNamed();
    }

    /// The metadata with the codec where readers since Arrow 1.0 expect it, for the padded body.
    private MemorySegment withCompression(long padding) {
        FlatBufferWriter buffer = new FlatBufferWriter(EmissionOrder.ARROW_CPP.dialect());
        MetadataEdit edit = new MetadataEdit().bodyLength(frame.bodyLength() + padding);
        new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset())
                .message(message, edit.moveCodec(message, codec));
        return buffer.segment();
    }

    /// The bytes after the current body up to a multiple of 8.
    private long padding() {
        return Math.floorMod(-frame.bodyLength(), BODY_ALIGNMENT);
    }

    /// The metadata with the length of the padded body, a multiple of 8 bytes.
    private MemorySegment lengthened(long padding) {
        MemorySegment original = memory.asSlice(frame.metadataOffset(), frame.metadataLength());
        if (padding == 0) {
            return original;
        }
        MemorySegment copy = MemorySegment.ofArray(original.toArray(ValueLayout.JAVA_BYTE));
        new Message().wrap(copy).setBodyLength(frame.bodyLength() + padding);
        return copy;
    }
}
