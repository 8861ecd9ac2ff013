// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;

import java.util.function.UnaryOperator;

/// The layouts of a schema's batches by the metadata version of their messages.
///
/// @param latest for V5
/// @param old for V4, where some types have other buffers; else the same object
public record VersionLayouts(BatchLayout latest, BatchLayout old) {
    /// Compiles the layouts.
    ///
    /// @throws FletchException as [BatchLayout#compile(Schema, int, Limits, Columns)]
    public static VersionLayouts compile(Schema schema, Limits limits) {
        BatchLayout latest = BatchLayout.compile(schema, MetadataVersion.V5, limits, Columns.all());
        return new VersionLayouts(
                latest,
                latest.isFor(MetadataVersion.V4)
                        ? latest
                        : BatchLayout.compile(schema, MetadataVersion.V4, limits, Columns.all()));
    }

    /// The layout of a message's batch.
    public BatchLayout of(int version) {
        return version == MetadataVersion.V4 ? old : latest;
    }

    /// The layouts that are made from these.
    public VersionLayouts map(UnaryOperator<BatchLayout> change) {
        BatchLayout changed = change.apply(latest);
        return new VersionLayouts(changed, old == latest ? changed : change.apply(old));
    }
}
