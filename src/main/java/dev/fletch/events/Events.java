// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Records in the Flight Recorder what readers do. All events are off until a recording enables
/// them.
///
/// An operation with a duration has two methods. The first returns its event, null if the event is
/// off. The type is `Object` so that callers do not need the module `jdk.jfr`.
///
/// **Cost.** Until the JVM makes a recording, a call reads one static variable, loads no class of
/// an event, and allocates nothing. Reading a recognized message makes no call.
public final class Events {
    private static final boolean HAS_RECORDER = hasRecorder();

    private Events() {}

    private static boolean hasRecorder() {
        var recorder = ModuleLayer.boot().findModule("jdk.jfr");
        return recorder.isPresent() && Events.class.getModule().canRead(recorder.get());
    }

    /// Returns whether the JVM has made a recording, of any events.
    private static boolean mayRecord() {
        return HAS_RECORDER && FlightRecorder.isInitialized();
    }

    /// Begins an event. The parameter has no type: verifying a call would load the event's class.
    private static Object begun(Object event) {
        ((Event) event).begin();
        return event;
    }

    // ---- recognition

    /// Returns whether to call [#notRecognized], which needs some work before.
    public static boolean recordsUnrecognized() {
        return mayRecord() && MessageNotRecognized.ANY.isEnabled();
    }

    /// Records a message or footer that a reader did not recognize.
    ///
    /// @param kind of the message, as the format names it; or "Footer"
    /// @param bytes length of its metadata
    public static void notRecognized(String kind, UnrecognizedReason why, long bytes) {
        var event = new MessageNotRecognized();
        event.kind = kind;
        event.reason = why.text();
        event.bytes = bytes;
        event.commit();
    }

    /// Records a schema that a reader had to read, because it was not recognized.
    ///
    /// @param kind what contains the schema: "Schema", which is a message, or "Footer"
    /// @param bytes length of that
    public static void schemaParsed(String kind, long bytes) {
        if (mayRecord() && SchemaParsed.ANY.isEnabled()) {
            var event = new SchemaParsed();
            event.kind = kind;
            event.bytes = bytes;
            event.commit();
        }
    }

    /// Begins the compilation of a layout.
    public static Object layoutBegins() {
        return mayRecord() && LayoutCompiled.ANY.isEnabled() ? begun(new LayoutCompiled()) : null;
    }

    /// Records a compiled layout.
    public static void layoutCompiled(Object begun, int columns, int fields) {
        if (begun instanceof LayoutCompiled event) {
            event.columns = columns;
            event.fields = fields;
            event.commit();
        }
    }

    // ---- verification

    /// Begins a full pass after the quick pass.
    public static Object fullPassBegins() {
        return mayRecord() && FullPassTaken.ANY.isEnabled() ? begun(new FullPassTaken()) : null;
    }

    /// Records a full pass.
    ///
    /// @param root name of the root table
    /// @param bytes length of the buffer
    public static void fullPassTaken(Object begun, String root, long bytes, boolean isValid) {
        if (begun instanceof FullPassTaken event) {
            event.root = root;
            event.bytes = bytes;
            event.valid = isValid;
            event.commit();
        }
    }

    // ---- files

    /// Begins to map a file.
    public static Object mappingBegins() {
        return mayRecord() && FileMapped.ANY.isEnabled() ? begun(new FileMapped()) : null;
    }

    /// Records a mapped file.
    public static void fileMapped(Object begun, String path, long bytes) {
        if (begun instanceof FileMapped event) {
            event.path = path;
            event.bytes = bytes;
            event.commit();
        }
    }

    /// Begins to open an Arrow file.
    public static Object openingBegins() {
        return mayRecord() && FileOpened.ANY.isEnabled() ? begun(new FileOpened()) : null;
    }

    /// Records an opened Arrow file.
    ///
    /// @param path null if the file was given as memory
    /// @param bytes size of the file
    /// @param footerBytes length of the footer
    /// @param batches number of record batches
    public static void fileOpened(
            Object begun, String path, long bytes, int footerBytes, int batches) {
        if (begun instanceof FileOpened event) {
            event.path = path;
            event.bytes = bytes;
            event.footerBytes = footerBytes;
            event.recordBatches = batches;
            event.commit();
        }
    }

    // ---- the events; one of each type tells whether it is enabled

    @Category("Fletch")
    @Enabled(false)
    @StackTrace(false)
    private abstract static class Recorded extends Event {}

    @Name("dev.fletch.MessageNotRecognized")
    @Label("Message Not Recognized")
    @Description("A message or footer was verified, because the reader had not learned it")
    private static final class MessageNotRecognized extends Recorded {
        static final MessageNotRecognized ANY = new MessageNotRecognized();

        @Label("Kind")
        @Description("The header of the message, or Footer")
        String kind;

        @Label("Reason")
        String reason;

        @Label("Metadata")
        @DataAmount
        long bytes;
    }

    @Name("dev.fletch.SchemaParsed")
    @Label("Schema Parsed")
    @Description("A schema was read, because it was not recognized")
    private static final class SchemaParsed extends Recorded {
        static final SchemaParsed ANY = new SchemaParsed();

        @Label("Kind")
        @Description("Schema, for a message, or Footer")
        String kind;

        @Label("Metadata")
        @DataAmount
        long bytes;
    }

    @Name("dev.fletch.LayoutCompiled")
    @Label("Layout Compiled")
    @Description("A schema was compiled to a layout")
    @StackTrace(true)
    private static final class LayoutCompiled extends Recorded {
        static final LayoutCompiled ANY = new LayoutCompiled();

        @Label("Columns")
        int columns;

        @Label("Fields")
        @Description("Columns and their descendants")
        int fields;
    }

    @Name("dev.fletch.FullPassTaken")
    @Label("Full Pass Taken")
    @Description(
            "The full pass of the verifier verified a buffer, as the quick pass did not accept it")
    private static final class FullPassTaken extends Recorded {
        static final FullPassTaken ANY = new FullPassTaken();

        @Label("Root Table")
        String root;

        @Label("Buffer")
        @DataAmount
        long bytes;

        @Label("Valid")
        boolean valid;
    }

    @Name("dev.fletch.FileMapped")
    @Label("File Mapped")
    @Description("A file was mapped into memory")
    @StackTrace(true)
    private static final class FileMapped extends Recorded {
        static final FileMapped ANY = new FileMapped();

        @Label("Path")
        String path;

        @Label("File")
        @DataAmount
        long bytes;
    }

    @Name("dev.fletch.FileOpened")
    @Label("File Opened")
    @Description(
            "The footer of an Arrow file was verified; the duration does not contain mapping or"
                    + " reading the file")
    @StackTrace(true)
    private static final class FileOpened extends Recorded {
        static final FileOpened ANY = new FileOpened();

        @Label("Path")
        @Description("Absent if the file was given as memory")
        String path;

        @Label("File")
        @DataAmount
        long bytes;

        @Label("Footer")
        @DataAmount
        long footerBytes;

        @Label("Record Batches")
        int recordBatches;
    }
}
