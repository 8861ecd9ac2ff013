// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.FieldLimits;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;

/// Finds single columns of a schema by a linear scan, without compiling it. Of earlier columns it
/// reads little more than name lengths, types and child counts; of the column itself, all fields.
///
/// Use it for few columns of a schema that is read once: compiling a [BatchLayout] takes about as
/// long as a few scans.
///
/// Names are compared as in [BatchLayout]. Allocates nothing after set-up. The found column is
/// verified, see [ColumnLayout]; earlier ones are not.
///
/// **Errors.** Binding throws a [FletchException] if the version is neither V4 nor V5. Finding
/// throws it if a limit is exceeded or the schema is malformed, and an [IllegalStateException]
/// before [#wrap].
///
/// **Lifetime and threads.** Valid until the schema's root is bound again or its memory is freed;
/// later calls throw an [IllegalStateException]. Belongs to one thread at a time.
public final class ColumnScan {
    private static final int TYPE_NUMBERS = 256;

    /// A weight has the number of buffers in its lower half, and of view fields in its upper half.
    private static final int VIEW_SHIFT = 32;

    // Not final, so that C2 does not know the length: it would omit the bounds check of a byte
    // index, and on a lost page of a mapped file that byte may have any value.
    private static long[] weightOfType = weights();

    private final FieldWalk walk = new FieldWalk();
    private Schema schema;
    private int version;
    private Limits limits = Limits.DEFAULT;
    private long bufferLength;

    // Totals of the columns before the walk's.
    private int nodes;
    private long weight;
    private boolean unknown;
    private boolean dependsOnVersion;

    /// Creates an unbound scan.
    public ColumnScan() {}

    private static long[] weights() {
        long[] weights = new long[TYPE_NUMBERS];
        for (int type = 0; type < TYPE_NUMBERS; type++) {
            TypeFacts facts = TypeFacts.of(type);
            weights[type] = facts.dependsOnVersion() ? -1 : weight(facts.shape(0, 0));
        }
        return weights;
    }

    /// The weight of a shape; -1 if unknown.
    static long weight(BufferShape shape) {
        return switch (shape) {
            case UNKNOWN -> -1;
            case VIEW -> shape.count() | 1L << VIEW_SHIFT;
            default -> shape.count();
        };
    }

    /// Binds to a schema, within [Limits#DEFAULT]. The version is that of its batches.
    ///
    /// @param of bound to a schema, and not bound again while this is used
    public ColumnScan wrap(Schema of, int metadataVersion) {
        return wrap(of, metadataVersion, Limits.DEFAULT);
    }

    /// Binds to a schema.
    ///
    /// @param of bound to a schema, and not bound again while this is used
    public ColumnScan wrap(Schema of, int metadataVersion, Limits most) {
        schema = of;
        version = FieldTable.checkVersion(metadataVersion);
        limits = most;
        bufferLength = of.bufferLength();
        walk.wrap(of);
        return this;
    }

    /// Finds the first column with a name.
    ///
    /// @return false if there is none
    public boolean find(CharSequence name, ColumnLayout into) {
        into.setKey(name);
        nodes = 0;
        weight = 0;
        unknown = false;
        dependsOnVersion = false;
        walk.rewind();
        return into.keyLength < 0 ? into.clear() : find(into);
    }

    /// Finds the next column with the same name.
    ///
    /// @param found filled by this scan; refilled with the next column's layout
    /// @return false if there is none, or `found` is empty
    public boolean findNext(ColumnLayout found) {
        if (found.column() < 0) {
            return false;
        }
        nodes = found.firstNode() + found.fieldCount();
        weight =
                found.firstBuffer()
                        + found.bufferCount()
                        + ((long) found.firstView() + found.viewCount() << VIEW_SHIFT);
        unknown = found.firstUnknown() >= 0;
        dependsOnVersion = found.table.dependsOnVersion;
        walk.after(found.column());
        return find(found);
    }

    private boolean find(ColumnLayout into) {
        try {
            return search(into);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private boolean search(ColumnLayout into) {
        int most = FieldLimits.fieldsIn(limits, bufferLength);
        while (true) {
            int found =
                    walk.pass(into.key, into.keyLength, weightOfType, most - nodes, limits.depth());
            nodes += walk.passedFields();
            weight += walk.passedWeight();
            if (found == FieldWalk.END) {
                return into.clear();
            }
            if (found == FieldWalk.NAMED) {
                into.walk.wrap(schema).column(walk.column());
                into.take(schema, version, limits, bufferLength);
                into.place(nodes, (int) weight, (int) (weight >>> VIEW_SHIFT), unknown);
                into.table.dependsOnVersion |= dependsOnVersion;
                return true;
            }
            weigh(most);
        }
    }

    /// Adds the current column with its descendants.
    private void weigh(int most) {
        do {
            FieldTable.checkLimits(walk, Integer.MAX_VALUE, nodes, limits.fields());
            if (nodes >= most) {
                throw SchemaSize.tooManyFields(walk.field(), nodes + 1, limits, bufferLength);
            }
            FieldTable.checkLimits(walk, limits.depth(), 0, limits.fields());
            nodes++;
            boolean isEncoded = walk.isDictionaryEncoded();
            long own = weight(FieldTable.shape(walk, version, isEncoded));
            unknown |= own < 0;
            dependsOnVersion |=
                    !isEncoded && TypeFacts.of(walk.field().typeType()).dependsOnVersion();
            weight += Math.max(0, own);
            if (isEncoded) {
                walk.skipChildren();
            }
        } while (walk.nextBelow(0));
    }
}
