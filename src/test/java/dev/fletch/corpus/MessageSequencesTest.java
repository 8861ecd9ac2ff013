// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.command.GoldenOutput;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FirstFault;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What a verification of meaning remembers from one call to the next, and its limits: a text of
/// calls, each with the faults that it finds. A verification without a sink, which ends there,
/// finds the first.
///
/// `## title | options` begins a verification. A call is a message as in `corpus/cases`, with its
/// body; or `footer`, `schema`, `block`, `end` of the file, `skip`, `begin stream` or `begin file`.
/// `-Dfletch.golden.write=true` writes the faults again.
class MessageSequencesTest {
    private static final String NAME = "MessageSequencesTest.txt";

    private final Map<String, FbsValue.Table> tables = new HashMap<>();
    private final List<String> found = new ArrayList<>();
    private final StringBuilder shown = new StringBuilder();
    private SemanticVerifier all;
    private final FirstFault firstFault = new FirstFault();
    private SemanticVerifier first;
    private boolean isFirst;
    private Footer footer;
    private int calls;

    @Test
    void eachCallFindsTheFaultsBelowIt() throws IOException {
        String text = Files.readString(Path.of("src/test/resources/golden").resolve(NAME));
        for (String statement : text.strip().split("\n(?! )")) {
            if (!statement.startsWith("!")) {
                shown.append(statement).append('\n');
                try {
                    run(statement.replaceAll("\n +", " "));
                } catch (RuntimeException e) {
                    throw new IllegalArgumentException("in the statement: " + statement, e);
                }
            }
        }
        assertTrue(calls > 100, calls + " calls");
        GoldenOutput.assertIs(NAME, shown.toString());
    }

    private void run(String statement) {
        if (statement.startsWith("## ")) {
            begin(statement.split("[ |]+"));
        } else if (!statement.isEmpty() && !statement.startsWith("#")) {
            call(new CaseScanner(statement), new CaseValues(tables));
        }
    }

    private void begin(String... words) {
        Checks checks = Checks.STRICT;
        Limits limits = Limits.DEFAULT;
        int most = 20;
        for (String each : words) {
            String number = each.substring(each.indexOf('=') + 1);
            switch (each.substring(0, each.length() - number.length())) {
                case "depth=" -> limits = limits.withDepth(Integer.parseInt(number));
                case "fields=" -> limits = limits.withFields(Integer.parseInt(number));
                case "unfolded=" -> limits = limits.withUnfoldedBytes(Long.parseLong(number));
                case "faults=" -> most = Integer.parseInt(number);
                default -> checks = each.equals("ARROW_CPP") ? Checks.ARROW_CPP : checks;
            }
        }
        Checks options = limits == Limits.DEFAULT ? checks : checks.withLimits(limits);
        all = new SemanticVerifier(options, fault -> found.add(fault.toString()), most);
        first = new SemanticVerifier(options, firstFault);
        isFirst = true;
    }

    private void call(CaseScanner from, CaseValues values) {
        switch (from.peek()) {
            case "let", "footer", "schema", "block", "end", "skip", "begin" ->
                    call(from.take(), from, values);
            default -> {
                CaseMessage made = message(from, values);
                Message message = bound(bytes(made.table));
                MemorySegment body = MemorySegment.ofArray(made.body);
                show(each -> each.message(message, ContainerPart.NO_BLOCK, body, 0));
            }
        }
    }

    private void call(String name, CaseScanner from, CaseValues values) {
        switch (name) {
            case "let" -> {
                String table = from.take();
                from.expect("=");
                tables.put(table, values.table(from));
            }
            case "footer" -> {
                footer = new Footer().wrap(segment(values.table(from)));
                show(each -> each.footer(footer));
            }
            case "schema" -> {
                Schema bare = new Schema().wrap(segment(values.table(from)));
                show(each -> each.schema(bare));
            }
            case "block" -> {
                int number = (int) from.number();
                Message message = bound(bytes(message(from, values).table));
                show(each -> each.block(message, number));
            }
            case "end" -> show(each -> each.endFile(footer));
            case "skip" -> List.of(all, first).forEach(SemanticVerifier::skip);
            default -> {
                boolean isFile = from.take().equals("file");
                for (SemanticVerifier each : List.of(all, first)) {
                    if (isFile) {
                        each.beginBlocks();
                    } else {
                        each.beginInOrder(false);
                    }
                }
            }
        }
    }

    private static MemorySegment segment(FbsValue.Table table) {
        return MemorySegment.ofArray(bytes(table));
    }

    private static CaseMessage message(CaseScanner from, CaseValues values) {
        return from.peek().equals("<")
                ? new CaseMessage(values.table(from), false)
                : new CaseMessage(from, values, false);
    }

    private void show(Predicate<SemanticVerifier> call) {
        found.clear();
        boolean isSound = call.test(all);
        assertEquals(isSound, found.isEmpty(), found::toString);
        if (isFirst) {
            assertEquals(isSound, call.test(first), () -> "" + firstFault.fault());
            String fault = isSound ? null : firstFault.fault().toString();
            assertEquals(isSound ? null : found.getFirst(), fault, found::toString);
        }
        isFirst &= isSound;
        found.forEach(each -> shown.append("! ").append(each).append('\n'));
        calls++;
    }
}
