// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// A hand-written, zero-copy, zero-allocation FlatBuffers codec for Apache Arrow's metadata.
///
/// The exported packages need nothing but `java.base`, and links in `dev.fletch.remote` also
/// `java.net.http`.
/// `picocli` and `jackson-core` serve the command line and the JSON alone, `commons-compress` and
/// `zstd-jni` only compressed values, `jdk.jfr` only events of the Flight Recorder.
/// `dev.fletch.vectors` needs arrow-java's `arrow-vector`. All of them may be absent at run time.
module dev.fletch {
    exports dev.fletch;
    exports dev.fletch.arrow;
    exports dev.fletch.batch;
    exports dev.fletch.compression;
    exports dev.fletch.convert;
    exports dev.fletch.flatbuf;
    exports dev.fletch.flatbuf.write;
    exports dev.fletch.format;
    exports dev.fletch.format.ids;
    exports dev.fletch.format.write;
    exports dev.fletch.forward;
    exports dev.fletch.ipc;
    exports dev.fletch.remote;
    exports dev.fletch.scan;
    exports dev.fletch.schema;
    exports dev.fletch.schema.extension;
    exports dev.fletch.vectors;
    exports dev.fletch.verify;

    requires static com.github.luben.zstd_jni;
    requires static com.fasterxml.jackson.core;
    requires static java.net.http;
    requires static jdk.jfr;
    requires static org.apache.arrow.format;
    requires static org.apache.arrow.memory.core;
    requires static org.apache.arrow.vector;
    requires static org.apache.commons.compress;
}
