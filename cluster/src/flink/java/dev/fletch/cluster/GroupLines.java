// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/// The lines of groups, which come in their order.
final class GroupLines extends RichMapFunction<SchemaGroup, String> {
    private static final long serialVersionUID = 1L;

    private final boolean ignoresMetadata;
    private transient Result result;

    GroupLines(boolean ignoresMetadata) {
        this.ignoresMetadata = ignoresMetadata;
    }

    @Override
    public void open(OpenContext context) {
        result = new Result(ignoresMetadata);
    }

    @Override
    public String map(SchemaGroup group) {
        return result.line(group);
    }
}
