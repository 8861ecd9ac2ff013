// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.FletchException;
import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ArrowContainer;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Saves the complete batches of a damaged file or stream.
public class SalvageFile {
    public static void main(String[] args) throws Exception {
        var saved = Path.of(args[1]);
        var options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE).salvaging();
        try (var out =
                FileChannel.open(saved, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var report = Arrow.convert(Path.of(args[0]), out, options);
            System.out.println(report.batches() + " batches, " + report.rows() + " rows saved");
            report.leftOut().forEach(part -> System.out.println(part.placed()));
        } catch (FletchException e) { // nothing can be saved
            Files.delete(saved);
            System.out.println(e.getMessage());
        }
    }
}
