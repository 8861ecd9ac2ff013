// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.operators.Order;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;

/// A job for Flink: what the files of folders and lists hold, from their headers alone.
///
/// Names are spread over the tasks, each file is scanned once, and its schema group is summed up where it was
/// scanned. A single task writes a part of the result, and sorts on disk before; it keeps no file's line in memory.
public final class FlinkScan {
    private static final int MOST_RESTARTS = 10;

    private FlinkScan() {}

    /// Submits the job.
    ///
    /// @param args as in [Arguments#USAGE]
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
        build(flink, Arguments.parse(args));
        flink.execute("fletch scan");
    }

    static void build(StreamExecutionEnvironment flink, Arguments arguments) {
        flink.configure(settings());
        boolean ignoresMetadata = arguments.ignoresMetadata();
        DataStream<FileName> names =
                flink.fromData(TypeInformation.of(NameSource.class), sources(arguments))
                        .flatMap(FlinkScan::list)
                        .returns(FileName.class)
                        .keyBy(FileName::name)
                        .reduce(FileName::or); // each name once
        SingleOutputStreamOperator<FileLine> lines =
                names.transform(
                        "scan",
                        TypeInformation.of(FileLine.class),
                        new ScanOperator(ignoresMetadata));
        DataStream<SchemaGroup> parts = lines.getSideOutput(ScanOperator.PARTS);
        DataStream<SchemaGroup> groups = parts.keyBy(SchemaGroup::digest).reduce(SchemaGroup::plus);
        DataStream<Total> total =
                groups.map(SchemaGroup::total)
                        .returns(Total.class)
                        .union(flink.fromData(TypeInformation.of(Total.class), Total.NONE))
                        .keyBy(each -> "all")
                        .reduce(Total::plus);

        DataStream<FileLine> sorted = sorted(lines, FileLine::order, FileLine.class);
        write(sorted.map(FileLine::json), arguments.output(Result.FILES));
        write(
                sorted.filter(FileLine::isFaulty).setParallelism(1).map(FileLine::json),
                arguments.output(Result.FAULTS));
        write(
                sorted(groups, SchemaGroup::order, SchemaGroup.class)
                        .map(new GroupLines(ignoresMetadata)),
                arguments.output(Result.GROUPS));
        write(total.map(Result::line), arguments.output(Result.TOTAL));
    }

    private static void list(NameSource source, Collector<FileName> out) throws IOException {
        try (Stream<FileName> names = source.names()) {
            names.forEach(out::collect);
        }
    }

    private static NameSource[] sources(Arguments arguments) {
        return arguments.sources().toArray(NameSource[]::new);
    }

    private static Configuration settings() {
        Configuration settings = new Configuration();
        settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        // A lost task manager restarts what it has taken along, not more.
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, MOST_RESTARTS);
        settings.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
        // Flink would choose few tasks, by the size of the names.
        settings.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
        // Every type below is one that Flink knows.
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        return settings;
    }

    private static <T> DataStream<T> sorted(
            DataStream<T> all, KeySelector<T, String> order, Class<T> type) {
        return all.global()
                .map(each -> each)
                .returns(type)
                .setParallelism(1)
                .fullWindowPartition()
                .sortPartition(order, Order.ASCENDING);
    }

    private static void write(SingleOutputStreamOperator<String> lines, String path) {
        lines.returns(Types.STRING)
                .setParallelism(1)
                .sinkTo(new WholeFileSink(path))
                .setParallelism(1);
    }
}
