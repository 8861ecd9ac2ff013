// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Usage;
import dev.fletch.command.text.Terminal;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.Links;
import dev.fletch.scan.internal.MapWalk;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/// `fletch map`: the column and batch that each byte belongs to.
@Command(
        name = "map",
        description = {
            "Shows the column and batch that each byte belongs to.",
            "Shows the purpose of all other bytes. Reads only headers."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch map trades.arrow",
            "  fletch map --html trades.html trades.arrow",
            "  fletch map --at 4711 trades.arrow",
            "%n'message' is the message's index in 'fletch ls'; offsets count from the start of",
            "the input. Padding is the bytes after a buffer up to a multiple of 64, and",
            "after a message up to a multiple of 8. All other bytes without a reference are",
            "unreferenced."
        })
public final class MapCommand extends InputCommand {
    @Mixin private JsonOption json = new JsonOption();

    @Option(names = "--totals", description = "Print the totals without the table.")
    private boolean onlyTotals;

    @Mixin private AtOption at = new AtOption();

    @Mixin private ColumnOrder order = new ColumnOrder();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = {
                "Write an HTML page that draws the input to scale,",
                "and print the totals. With -, print only the page."
            })
    private Path html;

    @Mixin private OutputFile.ForceOption force = new OutputFile.ForceOption();

    @Override
    protected void check(Usage usage) {
        checkPage(html, usage);
        usage.excludes("--totals", "--json");
        usage.excludes("--at", "--html", "--totals");
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        MapWalk walk = new MapWalk(input, false);
        if (at.offset() != null) {
            return at(name, input, walk, out);
        }
        if (html != null) {
            page(name, input, walk, out);
        } else if (json.isGiven()) {
            json(name, input, walk, out);
        } else {
            text(name, input, walk, out);
        }
        return walk.fault();
    }

    private Fault at(String name, Input input, MapWalk walk, InputOutput out) throws IOException {
        MapAt found = new MapAt(walk, at.offset(), input.form() == Form.FILE ? 0 : input.start());
        walk.run(found::message);
        found.end();
        boolean isBefore = input.isFollowing() && at.offset() < input.start();
        boolean isLast = !readsAllStreams() || input.nextStream() < 0;
        Fault fault =
                walk.fault() != null || found.isFound() || isBefore || !isLast
                        ? walk.fault()
                        : Failures.noSuchByte(at.offset(), input.end());
        if (json.isGiven()) {
            try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
                generator.writeFieldName("byte");
                found.write(generator);
                JsonOutput.end(generator, fault, input);
            }
        } else if (found.isFound()) {
            heading(name, input, out);
            found.print(out);
        }
        return fault;
    }

    private void text(String name, Input input, MapWalk walk, InputOutput out) throws IOException {
        heading(name, input, out);
        MapText text = new MapText(out, input, walk, order, Terminal.outputWidth());
        walk.run(onlyTotals ? _ -> {} : text::message);
        if (walk.hasNothing()) {
            return;
        }
        if (!onlyTotals) {
            text.endTable();
        }
        text.totals();
    }

    private void json(String name, Input input, MapWalk walk, PrintWriter out) throws IOException {
        try (JsonGenerator generator = JsonOutput.object(name, input, out)) {
            generator.writeArrayFieldStart("batches");
            walk.run(message -> MapJson.batch(message, generator));
            generator.writeEndArray();
            JsonOutput.end(generator, walk.fault(), input);
            if (!walk.hasNothing()) {
                generator.writeFieldName("totals");
                int limit = order.most(Integer.MAX_VALUE);
                MapJson.totals(walk, order, limit, path -> path, generator);
            }
        }
    }

    private void page(String name, Input input, MapWalk walk, PrintWriter out) throws IOException {
        OutputFile file = new OutputFile(html, "page");
        file.writePage(
                "map",
                force.isGiven(),
                name,
                out,
                err(),
                data -> {
                    MapPage page = new MapPage(name, input.container(), data);
                    walk.run(page::message);
                    if (walk.hasNothing()) {
                        throw FletchException.inInput(walk.fault());
                    }
                    page.end(walk, input, Links.shown(name));
                    return walk.fault() != null || page.isWhole();
                });
        if (!file.isStandardOutput()) {
            new MapText(out, input, walk, order, Terminal.outputWidth()).totals();
        }
    }
}
