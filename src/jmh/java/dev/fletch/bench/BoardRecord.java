// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.command.JsonTree;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// All figures of a run, as JSON: `machine`, `quick`, `jmh` with JMH's results, `cpp` with the C++
/// peer's, `memory` of vectors, `tail` and `cold`. Results have the form of JMH's own JSON, but
/// only with what [Figures] reads: paths and options of the JVM are not for others.
final class BoardRecord {
    private final String json;
    private final Map<String, Object> tree;

    /// Times of the C++ peer.
    ///
    /// @param times nanoseconds per operation, by process and iteration
    record Cpp(Row row, List<List<Double>> times) {}

    private BoardRecord(String json) {
        this.json = json;
        this.tree = JsonTree.object(JsonTree.parse(json));
    }

    static BoardRecord parse(String json) {
        return new BoardRecord(json);
    }

    static BoardRecord of(
            Map<String, String> machine,
            boolean quick,
            List<RunResult> jvm,
            List<Cpp> cpp,
            List<Map<String, Object>> memory,
            List<Map<String, Object>> tail,
            List<Map<String, Object>> cold) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeObjectFieldStart("machine");
            for (Map.Entry<String, String> each : machine.entrySet()) {
                json.writeStringField(each.getKey(), each.getValue());
            }
            json.writeEndObject();
            json.writeBooleanField("quick", quick);
            json.writeArrayFieldStart("jmh");
            for (RunResult each : jvm) {
                write(each, json);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("cpp");
            for (Cpp each : cpp) {
                write(each, json);
            }
            json.writeEndArray();
            write("memory", memory, json);
            write("tail", tail, json);
            write("cold", cold, json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BoardRecord(out + "\n");
    }

    private static void write(RunResult result, JsonGenerator json) throws IOException {
        BenchmarkParams parameters = result.getParams();
        json.writeStartObject();
        json.writeStringField("benchmark", parameters.getBenchmark());
        json.writeObjectFieldStart("params");
        for (String each : parameters.getParamsKeys()) {
            json.writeStringField(each, parameters.getParam(each));
        }
        json.writeEndObject();
        List<List<Double>> forks = new ArrayList<>();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            forks.add(
                    fork.getIterationResults().stream()
                            .map(each -> each.getPrimaryResult().getScore())
                            .toList());
        }
        writeMetric(result.getPrimaryResult().getScoreUnit(), forks, json);
        Result<?> bytes = result.getSecondaryResults().get(Figures.ALLOCATED);
        if (bytes != null) {
            json.writeObjectFieldStart("secondaryMetrics");
            json.writeObjectFieldStart(Figures.ALLOCATED);
            json.writeNumberField("score", bytes.getScore());
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(Cpp cpp, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("benchmark", Figures.cppName(cpp.row()));
        writeMetric("ns/op", cpp.times(), json);
        json.writeEndObject();
    }

    private static void writeMetric(String unit, List<List<Double>> forks, JsonGenerator json)
            throws IOException {
        json.writeObjectFieldStart("primaryMetric");
        json.writeStringField("scoreUnit", unit);
        json.writeArrayFieldStart("rawData");
        for (List<Double> fork : forks) {
            json.writeStartArray();
            for (double each : fork) {
                json.writeNumber(each);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(String name, List<Map<String, Object>> rows, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (Map<String, Object> row : rows) {
            json.writeStartObject();
            for (Map.Entry<String, Object> each : row.entrySet()) {
                json.writeFieldName(each.getKey());
                if (each.getValue() instanceof Long number) {
                    json.writeNumber(number);
                } else {
                    json.writeString(each.getValue().toString());
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    String json() {
        return json;
    }

    Map<String, Object> machine() {
        return JsonTree.object(tree.get("machine"));
    }

    /// Whether this is a smoke run, without meaningful times.
    boolean isQuick() {
        return (Boolean) tree.get("quick");
    }

    Figures figures() {
        List<Object> all = new ArrayList<>(JsonTree.array(tree.get("jmh")));
        all.addAll(JsonTree.array(tree.get("cpp")));
        return Figures.of(all);
    }

    List<Object> memory() {
        return JsonTree.array(tree.get("memory"));
    }

    List<Object> tail() {
        return JsonTree.array(tree.get("tail"));
    }

    List<Object> cold() {
        return JsonTree.array(tree.get("cold"));
    }
}
