// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ReadOptions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;

/// What [Arrow] does with bytes.
public final class ArrowBytes {
    private ArrowBytes() {}

    /// Returns all faults, in a list of the caller's own.
    public static List<Fault> faults(byte[] input, ReadOptions options) {
        List<Fault> faults = new ArrayList<>();
        Arrow.verify(MemorySegment.ofArray(input), options, faults::add);
        return faults;
    }

    /// Returns the rules of all faults, in a list of the caller's own.
    public static List<Rule> rules(byte[] input, ReadOptions options) {
        List<Rule> rules = new ArrayList<>();
        Arrow.verify(MemorySegment.ofArray(input), options, fault -> rules.add(fault.rule()));
        return rules;
    }

    public static byte[] converted(byte[] input, ConvertOptions options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrow.convert(MemorySegment.ofArray(input), Channels.newChannel(out), options);
        return out.toByteArray();
    }
}
