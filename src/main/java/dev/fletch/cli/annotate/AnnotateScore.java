// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.verify.Finding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// How likely it is that bytes are a stream: how many of them the metadata of its messages explains,
/// to be compared with [FlatbufferScore#score].
public final class AnnotateScore implements AnnotateSink {
    private long bytes;

    private AnnotateScore() {}

    static long of(AnnotateInput stream) {
        AnnotateScore score = new AnnotateScore();
        AnnotateFaults faults = new AnnotateFaults();
        try {
            new AnnotateWalk(stream, faults, score).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory alone is read
        }
        return score.bytes - (long) FlatbufferScore.BYTES_PER_FAULT * faults.count();
    }

    @Override
    public void start(AnnotateInput input) {}

    @Override
    public void part(Part part) {}

    @Override
    public void node(Node node, Part part) {}

    @Override
    public void region(
            Region region, Part part, boolean isInBuffer, List<Finding> faults, String note) {
        bytes += isInBuffer && FlatbufferScore.isKnown(region) ? region.length() : 0;
    }

    @Override
    public void end(AnnotateFaults faults, List<Finding> outside) {}
}
