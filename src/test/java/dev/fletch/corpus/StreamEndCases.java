// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.BYTES_BEHIND_END;
import static dev.fletch.FileRule.NO_END_MARKER;
import static dev.fletch.FileRule.NO_END_OF_STREAM;
import static dev.fletch.FileRule.NO_MESSAGE;
import static dev.fletch.FileRule.REPEATED_END;
import static dev.fletch.FileRule.REPEATED_SCHEMA;
import static dev.fletch.FileRule.STREAM_FOLLOWS;
import static dev.fletch.testdata.HandmadeInput.text;

import java.util.ArrayList;
import java.util.List;

/// What is at the end of messages, or behind it.
final class StreamEndCases {
    private static final byte[] MARKER = Bodies.hex("ffffffff 00000000");
    private static final byte[] LEGACY_MARKER = new byte[4];

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        StreamEndCases made = new StreamEndCases();
        for (Base base : Base.values()) {
            made.streams(base);
            made.files(base);
        }
        made.noMessage();
        made.others();
        return made.cases;
    }

    private static byte[] marker(Base base) {
        return base == Base.LEGACY ? LEGACY_MARKER : MARKER;
    }

    private void streams(Base base) {
        byte[] sound = base.input().stream();
        byte[] open = base.input().marker().stream();
        cases.add(
                CorpusCase.of(
                        NO_END_MARKER,
                        "no-end-marker" + base.suffix,
                        "the stream ends without an end-of-stream marker")
                        .stream(sound, open));
        cases.add(
                CorpusCase.of(
                        REPEATED_SCHEMA,
                        "stream-without-marker-before-another" + base.suffix,
                        "another stream begins, and no end-of-stream marker is before it")
                        .stream(sound, Bodies.joined(open, sound)));
        cases.add(
                CorpusCase.of(
                        STREAM_FOLLOWS,
                        "two-streams" + base.suffix,
                        "another stream is behind the end-of-stream marker")
                        .stream(sound, Bodies.joined(sound, sound)));
        cases.add(
                CorpusCase.of(
                        BYTES_BEHIND_END,
                        "bytes-behind-stream" + base.suffix,
                        "8 bytes are behind the end-of-stream marker")
                        .stream(sound, Bodies.joined(sound, text("12345678"))));
    }

    private void files(Base base) {
        byte[] marker = marker(base);
        byte[] sound = base.input().file();
        cases.add(
                CorpusCase.of(
                                NO_END_OF_STREAM,
                                "no-marker-before-footer" + base.suffix,
                                "bytes that are no marker are between the last message and the"
                                        + " footer")
                        .file(
                                sound,
                                base.input()
                                        .marker(text("12345678".substring(0, marker.length)))
                                        .file()));
        cases.add(
                CorpusCase.of(
                                BYTES_BEHIND_END,
                                "bytes-before-footer" + base.suffix,
                                "8 bytes are between the end-of-stream marker and the footer")
                        .file(
                                sound,
                                base.input()
                                        .marker(Bodies.joined(marker, text("12345678")))
                                        .file()));
        if (base != Base.LEGACY) { // whose markers are zeros
            cases.add(
                    CorpusCase.of(
                                    REPEATED_END,
                                    "two-markers" + base.suffix,
                                    "two end-of-stream markers are before the footer")
                            .file(
                                    sound,
                                    base.input().marker(Bodies.joined(marker, marker)).file()));
        }
    }

    private void noMessage() {
        byte[] stream = Base.TEXTS.input().stream();
        cases.add(
                CorpusCase.of(
                        NO_MESSAGE, "only-marker", "the stream is only an end-of-stream marker")
                        .stream(stream, MARKER));
    }

    private void others() {
        byte[] stream = Base.TEXTS.input().stream();
        cases.add(
                CorpusCase.of(
                        BYTES_BEHIND_END,
                        "byte-behind-stream",
                        "one byte, which is not 0, is behind the end-of-stream marker")
                        .stream(stream, Bodies.joined(stream, text("x"))));
        cases.add(
                CorpusCase.of(
                        BYTES_BEHIND_END,
                        "two-markers-of-stream",
                        "another end-of-stream marker is behind the first")
                        .stream(stream, Bodies.joined(stream, MARKER)));
        for (int count : new int[] {1, 16}) {
            cases.add(
                    CorpusCase.of(
                            BYTES_BEHIND_END,
                            "zeros-behind-stream-" + count,
                            "zeros are behind the end-of-stream marker: " + count)
                            .stream(stream, Bodies.joined(stream, new byte[count])));
        }
        byte[] zeros = new byte[64];
        byte[] padded = Base.TEXTS.input().marker(Bodies.joined(MARKER, zeros)).file();
        byte[] last = Bodies.joined(MARKER, Bodies.put(zeros, 63, 7));
        cases.add(
                CorpusCase.of(
                                BYTES_BEHIND_END,
                                "byte-before-footer",
                                "the last of 64 bytes between the end-of-stream marker and the"
                                        + " footer is not 0")
                        .file(padded, Base.TEXTS.input().marker(last).file()));
        byte[] legacy = Base.LEGACY.input().stream();
        cases.add(
                CorpusCase.of(
                        STREAM_FOLLOWS,
                        "legacy-stream-follows",
                        "a stream without continuation words is behind one that has them")
                        .stream(stream, Bodies.joined(stream, legacy)));
    }
}
