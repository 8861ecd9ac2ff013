// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.input.Links;
import dev.fletch.scan.FileFault;
import dev.fletch.scan.FileSummary;

import java.io.IOException;
import java.io.Serializable;

/// A file's line in the result.
///
/// @param name without user and query, if it is a link
/// @param isFaulty whether something is wrong with the file
/// @param json the line
public record FileLine(String name, boolean isFaulty, String json) implements Serializable {
    /// @param digest of the file's schema; null without a valid schema
    static FileLine of(FileSummary file, String digest) {
        String name = FileName.shown(file.name());
        String line =
                JsonLine.of(
                        json -> {
                            json.writeStringField("file", name);
                            json.writeStringField("container", file.container());
                            json.writeNumberField("size", file.size());
                            json.writeNumberField("rows", file.rows());
                            json.writeNumberField("batches", file.batches());
                            json.writeNumberField("dictionaryBatches", file.dictionaryBatches());
                            json.writeStringField("schemaDigest", digest);
                            fault(file.fault(), json);
                        });
        return new FileLine(name, file.fault() != null, line);
    }

    private static void fault(FileFault fault, JsonGenerator json) throws IOException {
        if (fault == null) {
            return;
        }
        json.writeObjectFieldStart("fault");
        json.writeStringField("kind", fault.code() == null ? "unreadable" : "invalid");
        if (fault.message() >= 0) {
            json.writeNumberField("message", fault.message());
        }
        if (fault.offset() >= 0) {
            json.writeNumberField("offset", fault.offset());
        }
        json.writeStringField("text", Links.cleaned(fault.text()));
        json.writeEndObject();
    }

    /// Its place among the lines: by name; links may differ in what is not shown.
    public String order() {
        return name + '\n' + json;
    }
}
