// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/// Scans files: a line for each, and parts of groups beside.
final class ScanOperator extends AbstractStreamOperator<FileLine>
        implements OneInputStreamOperator<FileName, FileLine>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    static final OutputTag<SchemaGroup> PARTS =
            new OutputTag<>("parts", TypeInformation.of(SchemaGroup.class));

    private final boolean ignoresMetadata;
    private transient TaskScan scan;

    ScanOperator(boolean ignoresMetadata) {
        this.ignoresMetadata = ignoresMetadata;
    }

    @Override
    public void open() throws Exception {
        super.open();
        scan =
                new TaskScan(
                        ignoresMetadata,
                        line -> output.collect(new StreamRecord<>(line)),
                        part -> output.collect(PARTS, new StreamRecord<>(part)));
    }

    @Override
    public void processElement(StreamRecord<FileName> name) {
        scan.add(name.getValue());
    }

    @Override
    public void endInput() {
        scan.end();
    }
}
