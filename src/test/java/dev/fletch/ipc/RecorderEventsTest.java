// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.JavaProcess;
import dev.fletch.testdata.TradesSample;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// What the Flight Recorder sees of [RecordedReads], which runs in a JVM of its own: a recording
/// would change what other tests measure.
class RecorderEventsTest {
    private static final List<String> EVENTS =
            List.of(
                    "MessageNotRecognized",
                    "SchemaParsed",
                    "LayoutCompiled",
                    "FullPassTaken",
                    "FileMapped",
                    "FileOpened");

    @TempDir private Path folder;

    private static String run(List<String> options, String... arguments) throws Exception {
        return JavaProcess.run(options, RecordedReads.class, List.of(arguments));
    }

    private static String file() {
        return TradesSample.path("trades.arrow").toString();
    }

    /// The events of Fletch in a recording.
    ///
    /// @param enabled the names of the events to enable
    private List<RecordedEvent> record(List<String> enabled, String... arguments) throws Exception {
        Path recording = recording();
        StringBuilder option = new StringBuilder("-XX:StartFlightRecording:filename=" + recording);
        enabled.forEach(
                each -> option.append(",+dev.fletch.").append(each).append("#enabled=true"));
        run(List.of(option.toString()), arguments);
        return RecordingFile.readAllEvents(recording).stream()
                .filter(each -> each.getEventType().getName().startsWith("dev.fletch."))
                .toList();
    }

    private Path recording() {
        return folder.resolve("reads.jfr");
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(each -> each.getEventType().getName().equals("dev.fletch." + name))
                .toList();
    }

    @Test
    void eventsSayWhatWasNotRecognizedAndWhy() throws Exception {
        List<RecordedEvent> events = record(EVENTS, "all", file());
        Map<String, Integer> reasons = new LinkedHashMap<>();
        for (RecordedEvent each : named("MessageNotRecognized", events)) {
            assertTrue(each.getLong("bytes") > 0);
            String reason = each.getString("kind") + ", " + each.getString("reason");
            reasons.merge(reason, 1, Integer::sum);
        }
        System.out.println("Flight Recorder: " + reasons);
        assertEquals(
                Map.of(
                        "RecordBatch, new", 8 + 3 + 3 * 2 + 2 * 2,
                        "RecordBatch, evicted", 2,
                        "RecordBatch, not learnable", 1,
                        "RecordBatch, limit of work", 2,
                        "Schema, new", 5,
                        "Footer, new", 1),
                reasons);
    }

    @Test
    void eventsShowParsedSchemasFullPassesAndFiles() throws Exception {
        List<RecordedEvent> events = record(EVENTS, "all", file());
        // Five schemas of messages, the footer with a set, and the footer of the sample.
        List<String> kinds =
                named("SchemaParsed", events).stream().map(each -> each.getString("kind")).toList();
        assertEquals(7, kinds.size());
        assertEquals(2, kinds.stream().filter("Footer"::equals).count());
        RecordedEvent layout = named("LayoutCompiled", events).getLast();
        assertEquals(7, layout.getInt("columns"));
        assertEquals(10, layout.getInt("fields")); // a struct of two, and a list
        List<String> passes =
                named("FullPassTaken", events).stream()
                        .map(each -> each.getString("root") + " " + each.getBoolean("valid"))
                        .toList();
        assertEquals(List.of("Message false", "Message true"), passes);
        RecordedEvent mapped = named("FileMapped", events).getLast();
        assertEquals(file(), mapped.getString("path"));
        assertEquals(Files.size(Path.of(file())), mapped.getLong("bytes"));
        RecordedEvent opened = named("FileOpened", events).getLast();
        assertEquals(file(), opened.getString("path"));
        assertEquals(3, opened.getInt("recordBatches"));
        assertTrue(opened.getLong("footerBytes") > 100);
        assertEquals(new TreeSet<>(EVENTS), namesOf(events));
    }

    private static TreeSet<String> namesOf(List<RecordedEvent> events) {
        TreeSet<String> names = new TreeSet<>();
        events.forEach(each -> names.add(each.getEventType().getName().substring(11)));
        return names;
    }

    @Test
    void recordingOfOtherEventsHasNoneOfFletch() throws Exception {
        CaseCount.assumeFull();
        assertEquals(List.of(), record(List.of(), "all", file()));
    }

    @Test
    void recordingOfOneEventHasNoOthers() throws Exception {
        CaseCount.assumeFull();
        List<RecordedEvent> events = record(List.of("FileMapped"), "all", file());
        assertEquals(new TreeSet<>(List.of("FileMapped")), namesOf(events));
    }

    @Test
    void nothingIsAllocatedWhileARecordingHasOtherEvents() throws Exception {
        String output = run(List.of("-XX:StartFlightRecording:filename=" + recording()), "batches");
        assertTrue(output.contains("nothing allocated"), output);
    }

    @Test
    void withoutARecordingNoEventIsLoaded() throws Exception {
        List<String> loaded =
                run(List.of("-Xlog:class+load"), "all", file())
                        .lines()
                        .filter(line -> line.contains(" dev.fletch.events."))
                        .map(line -> line.replaceAll(".* dev\\.fletch\\.events\\.(\\w+) .*", "$1"))
                        .sorted()
                        .toList();
        assertEquals(List.of("Events"), loaded);
    }

    @Test
    void moduleOfTheRecorderMayBeAbsent() throws Exception {
        assertEquals("", run(List.of("--limit-modules", "java.base"), "all", file()));
    }
}
