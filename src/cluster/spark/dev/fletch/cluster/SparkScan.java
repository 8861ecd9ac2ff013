// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

import scala.Tuple2;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// The job for Spark. The result has the same lines; each of its parts is a folder, as Spark writes them.
public final class SparkScan {
    private static final int PARTITIONS_PER_CORE = 4;

    /// What a scan gives: a file's line, or a part of a group; the other is null.
    private record Found(FileLine line, SchemaGroup part) implements Serializable {}

    private SparkScan() {}

    /// Runs the job.
    ///
    /// @param args as in [Arguments#USAGE]
    public static void main(String[] args) {
        Arguments arguments = Arguments.parse(args);
        try (JavaSparkContext spark =
                new JavaSparkContext(new SparkConf().setAppName("fletch scan"))) {
            run(spark, arguments);
        }
    }

    private static void run(JavaSparkContext spark, Arguments arguments) {
        int tasks = PARTITIONS_PER_CORE * spark.defaultParallelism();
        List<NameSource> sources = arguments.sources();
        JavaRDD<Found> found =
                spark.parallelize(sources, sources.size())
                        .flatMap(source -> source.names().iterator())
                        .distinct(tasks) // each name once
                        .mapPartitions(SparkScan::scan)
                        .persist(StorageLevel.DISK_ONLY()); // else files would be read again
        JavaRDD<FileLine> lines =
                found.filter(each -> each.line != null)
                        .map(Found::line)
                        .sortBy(FileLine::order, true, tasks);
        JavaRDD<SchemaGroup> groups =
                found.filter(each -> each.part != null)
                        .mapToPair(each -> new Tuple2<>(each.part.digest(), each.part))
                        .reduceByKey(SchemaGroup::plus, tasks)
                        .values()
                        .sortBy(SchemaGroup::order, true, 1);
        Total total = groups.map(SchemaGroup::total).reduce(Total::plus);

        write(lines.map(FileLine::json), arguments.output(Result.FILES));
        write(
                lines.filter(FileLine::isFaulty).map(FileLine::json),
                arguments.output(Result.FAULTS));
        write(groups.mapPartitions(SparkScan::lines), arguments.output(Result.GROUPS));
        write(spark.parallelize(List.of(Result.line(total)), 1), arguments.output(Result.TOTAL));
    }

    private static Iterator<Found> scan(Iterator<FileName> names) {
        List<Found> found = new ArrayList<>();
        TaskScan scan =
                new TaskScan(
                        line -> found.add(new Found(line, null)),
                        part -> found.add(new Found(null, part)));
        Stream<Runnable> steps =
                Stream.concat(
                        TaskScan.stream(names).map(name -> () -> scan.add(name)),
                        Stream.of(scan::end));
        return steps.flatMap(
                        step -> {
                            found.clear();
                            step.run();
                            return List.copyOf(found).stream();
                        })
                .iterator();
    }

    private static Iterator<String> lines(Iterator<SchemaGroup> groups) {
        Result result = new Result();
        return TaskScan.stream(groups).map(result::line).iterator();
    }

    private static void write(JavaRDD<String> lines, String path) {
        lines.saveAsTextFile(Path.of(path).toUri().toString());
    }
}
