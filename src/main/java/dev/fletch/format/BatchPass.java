// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.verify.QuickPass;
import dev.fletch.flatbuf.verify.VtablePlans;
import dev.fletch.format.rules.ArrowRules;

/// A [QuickPass] for batch messages: the plans of their tables, and the shape of the last ones.
final class BatchPass {
    /// Tables of a compressed dictionary batch are nested so deep.
    static final int DEPTH = 4;

    final QuickPass pass;
    final VtablePlans message;
    final VtablePlans dictionary;
    final VtablePlans batch;
    final VtablePlans compression;
    final VtablePlans keyValue;
    final LastBatch last = new LastBatch();

    BatchPass(QuickPass pass) {
        this.pass = pass;
        message = plans("Message");
        dictionary = plans("DictionaryBatch");
        batch = plans("RecordBatch");
        compression = plans("BodyCompression");
        keyValue = plans("KeyValue");
    }

    private VtablePlans plans(String table) {
        return pass.kind(ArrowRules.SET.kind(table));
    }
}
