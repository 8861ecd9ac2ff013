// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import jdk.jfr.FlightRecorder;

/// Records in the Flight Recorder what readers do. All events are off until a recording enables
/// them.
///
/// An operation with a duration has two methods. The first returns its event, null if the event is
/// off. The type is `Object` so that callers do not need the module `jdk.jfr`.
///
/// **Cost.** Until the JVM makes a recording, a call reads one static variable, loads no class of an
/// event, and allocates nothing. Reading a recognized message makes no call.
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
        return mayRecord() ? LayoutCompiled.begun() : null;
    }

    /// Records a compiled layout.
    public static void layoutCompiled(Object begun, int columns, int fields) {
        if (begun != null) {
            var event = (LayoutCompiled) begun;
            event.columns = columns;
            event.fields = fields;
            event.commit();
        }
    }

    // ---- verification

    /// Begins a full pass after the quick pass.
    public static Object fullPassBegins() {
        return mayRecord() ? FullPassTaken.begun() : null;
    }

    /// Records a full pass.
    ///
    /// @param root name of the root table
    /// @param bytes length of the buffer
    public static void fullPassTaken(Object begun, String root, long bytes, boolean isValid) {
        if (begun != null) {
            var event = (FullPassTaken) begun;
            event.root = root;
            event.bytes = bytes;
            event.valid = isValid;
            event.commit();
        }
    }

    // ---- files

    /// Begins to map a file.
    public static Object mappingBegins() {
        return mayRecord() ? FileMapped.begun() : null;
    }

    /// Records a mapped file.
    public static void fileMapped(Object begun, String path, long bytes) {
        if (begun != null) {
            var event = (FileMapped) begun;
            event.path = path;
            event.bytes = bytes;
            event.commit();
        }
    }

    /// Begins to open an Arrow file.
    public static Object openingBegins() {
        return mayRecord() ? FileOpened.begun() : null;
    }

    /// Records an opened Arrow file.
    ///
    /// @param path null if the file was given as memory
    /// @param bytes size of the file
    /// @param footerBytes length of the footer
    /// @param batches number of record batches
    public static void fileOpened(
            Object begun, String path, long bytes, int footerBytes, int batches) {
        if (begun != null) {
            var event = (FileOpened) begun;
            event.path = path;
            event.bytes = bytes;
            event.footerBytes = footerBytes;
            event.recordBatches = batches;
            event.commit();
        }
    }
}
