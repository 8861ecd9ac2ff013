// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowSchema;

import java.util.List;
import java.util.Objects;

/// How [dev.fletch.arrow.Arrow#convert] writes. Immutable; `with…` methods return a changed copy.
///
/// @param target whether to write a file or a stream; null for the form of the input
/// @param salvages whether to leave out what is incomplete or damaged, and up to 64 kB of other
///     bytes before the file or stream; else damage is an error
/// @param salvagesColumns whether to leave out columns with errors rather than batches with them
/// @param keepsDoubtful whether to keep a message that is followed by bytes that belong to nothing:
///     the message lost no bytes, but may have gained some
/// @param schema the schema of an input that has lost its own; null for none
/// @param columns the columns to write, by their paths; null for all
/// @param reading limits, decompression, and the monitor of the conversion. With
///     [ReadOptions.Level#VALUES], a batch in which a value has an error by the rules of
///     [dev.fletch.ValueRule] is damaged; this counts only values of the chosen columns, and of
///     the dictionaries that the batch needs. Its other settings have no effect: metadata is always
///     checked
/// @param clearsUnused whether to set the bytes of bodies to 0 that no value uses
public record ConvertOptions(
        ArrowContainer target,
        boolean salvages,
        boolean salvagesColumns,
        boolean keepsDoubtful,
        ArrowSchema schema,
        List<String> columns,
        ReadOptions reading,
        boolean clearsUnused) {
    /// Writes the form of the input, and accepts no damage but a lost footer.
    public static final ConvertOptions DEFAULT =
            new ConvertOptions(null, false, false, false, null, null, ReadOptions.DEFAULT, false);

    /// Creates options.
    ///
    /// @throws NullPointerException if reading is null
    public ConvertOptions {
        salvages |= salvagesColumns || keepsDoubtful;
        columns = columns == null ? null : List.copyOf(columns);
        Objects.requireNonNull(reading, "reading");
    }

    /// {@return whether a batch is damaged in which a value has an error}
    public boolean checksValues() {
        return clearsUnused || reading.checks(ReadOptions.Level.VALUES);
    }

    /// {@return a copy with another target}
    public ConvertOptions withTarget(ArrowContainer other) {
        return with(other, schema, columns, reading);
    }

    /// {@return a copy that leaves out what is incomplete or damaged, and reports it}
    public ConvertOptions salvaging() {
        return salvaging(false, false);
    }

    /// {@return a copy that is [#salvaging], and leaves out columns with errors rather than batches
    /// with them} A column has errors if it has one in any batch, or in a dictionary that it needs,
    /// or if that is missing: in values, too, if they are checked. Batches in which all columns
    /// have errors are left out.
    public ConvertOptions salvagingColumns() {
        return salvaging(true, false);
    }

    /// {@return a copy that is [#salvaging], but keeps what is doubtful} A message is doubtful if
    /// bytes follow it that belong to nothing: they may have been inserted behind it, or into it;
    /// then values are shifted.
    public ConvertOptions keepingDoubtful() {
        return salvaging(false, true);
    }

    private ConvertOptions salvaging(boolean columnsToo, boolean doubtfulToo) {
        return new ConvertOptions(
                target,
                true,
                salvagesColumns || columnsToo,
                keepsDoubtful || doubtfulToo,
                schema,
                columns,
                reading,
                clearsUnused);
    }

    /// {@return a copy with a schema for an input that has lost its own}
    ///
    /// @param other its columns must fit the nodes and buffers of the batches
    public ConvertOptions withSchema(ArrowSchema other) {
        return with(target, other, columns, reading);
    }

    /// {@return a copy that writes only some columns, in their order} With [#salvaging], a batch is
    /// saved if these are sound.
    ///
    /// @param paths names joined by dots: see [dev.fletch.batch.BatchLayout#field]; without any,
    ///     batches have rows and no columns. Unless a column has this name, `prefix*` stands for
    ///     all columns whose names begin so, and `!` before a name or prefix leaves them out of
    ///     the columns named before it; out of all columns if `!` comes first
    public ConvertOptions withColumns(String... paths) {
        return with(target, schema, List.of(paths), reading);
    }

    /// {@return a copy that reads in another way}
    public ConvertOptions withReading(ReadOptions how) {
        return with(target, schema, columns, how);
    }

    /// {@return a copy that sets the bytes of bodies to 0 that no value uses, which may be left
    /// from other data: see [dev.fletch.batch.UnusedBytes]} Values are checked. Metadata is written
    /// anew. Compressed buffers are decompressed, cleared, and compressed again with the libraries
    /// of [dev.fletch.compression.LibraryDecompressor].
    public ConvertOptions clearingUnused() {
        return new ConvertOptions(
                target, salvages, salvagesColumns, keepsDoubtful, schema, columns, reading, true);
    }

    private ConvertOptions with(
            ArrowContainer to, ArrowSchema given, List<String> paths, ReadOptions how) {
        return new ConvertOptions(
                to, salvages, salvagesColumns, keepsDoubtful, given, paths, how, clearsUnused);
    }
}
