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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The job for Spark. The result has the same lines; each of its parts is a folder, as Spark writes them.
public final class SparkScan {
    private static final int PARTITIONS_PER_CORE = 4;

    /// What a scan gives: a file's line, or a part of a group; the other is null.
    private record Found(FileLine line, SchemaGroup part) implements Serializable {}

    /// What the files of a task give; each is scanned when Spark asks for it.
    private static final class Scan implements Iterator<Found> {
        private final Iterator<FileName> names;
        private final Deque<Found> found = new ArrayDeque<>();
        private final TaskScan scan;
        private boolean hasEnded;

        Scan(Iterator<FileName> names, boolean ignoresMetadata) {
            this.names = names;
            this.scan =
                    new TaskScan(
                            ignoresMetadata,
                            line -> found.add(new Found(line, null)),
                            part -> found.add(new Found(null, part)));
        }

        @Override
        public boolean hasNext() {
            while (found.isEmpty() && !hasEnded) {
                if (names.hasNext()) {
                    scan.add(names.next());
                } else {
                    scan.end();
                    hasEnded = true;
                }
            }
            return !found.isEmpty();
        }

        @Override
        public Found next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return found.remove();
        }
    }

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
        boolean ignoresMetadata = arguments.ignoresMetadata();
        List<NameSource> sources = arguments.sources();
        JavaRDD<Found> found =
                spark.parallelize(sources, sources.size())
                        .flatMap(source -> source.names().iterator())
                        .mapToPair(name -> new Tuple2<>(name.name(), name))
                        .reduceByKey(FileName::or, tasks) // each name once
                        .values()
                        .mapPartitions(names -> new Scan(names, ignoresMetadata))
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
        Total total = groups.map(SchemaGroup::total).fold(Total.NONE, Total::plus);

        write(lines.map(FileLine::json), arguments.output(Result.FILES));
        write(
                lines.filter(FileLine::isFaulty).map(FileLine::json),
                arguments.output(Result.FAULTS));
        write(
                groups.mapPartitions(all -> lines(all, ignoresMetadata)),
                arguments.output(Result.GROUPS));
        write(spark.parallelize(List.of(Result.line(total)), 1), arguments.output(Result.TOTAL));
    }

    private static Iterator<String> lines(Iterator<SchemaGroup> groups, boolean ignoresMetadata) {
        Result result = new Result(ignoresMetadata);
        return TaskScan.stream(groups).map(result::line).iterator();
    }

    private static void write(JavaRDD<String> lines, String path) {
        lines.saveAsTextFile(Path.of(path).toUri().toString());
    }
}
