// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule.Severity;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.Work;
import dev.fletch.testdata.CountedWork;
import dev.fletch.verify.internal.InputCheck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What `fletch verify` finds in bytes that are in no file.
///
/// @param findings in the order in which they came
/// @param worked bytes that were verified or searched
public record Verified(List<Fault> findings, long worked) {
    // Without UTF-8.
    private static final Checks USUAL = Checks.DEFAULT.with(Check.NESTING, true);

    public static Verified of(byte[] bytes) {
        return of(bytes, USUAL);
    }

    public static Verified of(byte[] bytes, Checks options) {
        List<Fault> findings = new ArrayList<>();
        InputCheck check =
                new InputCheck(ReadOptions.VERIFY.withChecks(options.enabled()), findings::add);
        CountedWork worked = new CountedWork();
        try {
            Work.watched(
                    worked,
                    () -> {
                        check.run(InputBytes.of(MemorySegment.ofArray(bytes)));
                        return null;
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertEquals(
                findings.stream().noneMatch(each -> each.rule().severity() == Severity.ERROR),
                check.report().isOk());
        return new Verified(findings, worked.bytes());
    }

    /// Each finding as `level code message path`, without what is absent.
    public List<String> brief() {
        return findings.stream().map(Verified::brief).toList();
    }

    private static String brief(Fault each) {
        String message = each.message() == Fault.NO_MESSAGE ? "" : " " + each.message();
        String path = each.path().isEmpty() ? "" : " " + each.path();
        return each.rule().level() + " " + each.rule().id() + message + path;
    }

    /// Runs the command with standard input.
    static Run run(byte[] bytes, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "verify";
        System.arraycopy(options, 0, args, 1, options.length);
        args[options.length + 1] = "-";
        return Cli.runWithInput(bytes, args);
    }
}
