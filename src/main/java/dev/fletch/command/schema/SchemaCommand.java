// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.Fault;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.InputCommand;
import dev.fletch.command.io.InputOutput;
import dev.fletch.command.io.JsonOutput;
import dev.fletch.command.io.Usage;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Feature;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.input.Input;
import dev.fletch.input.Models;
import dev.fletch.input.Need;
import dev.fletch.input.SchemaErrors;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.internal.FieldSelection;
import dev.fletch.schema.internal.IntegrationJson;
import dev.fletch.schema.internal.SchemaText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// `fletch schema`: the schema as a tree, as integration JSON, or as JSON for flatc.
@Command(
        name = "schema",
        description = {
            "Shows the schema. For a file, this is the footer's schema.",
            "Then reads the headers of a stream. Exit status 1: the schema has errors, or the",
            "stream is damaged."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fletch schema trades.arrow",
            "  fletch schema --column point.x trades.arrow",
            "  fletch schema --group -r data",
            "  fletch schema --format fbs trades.arrow > schema.json",
            "  flatc -b format/Schema.fbs schema.json"
        })
public final class SchemaCommand extends InputCommand {
    /// The output formats.
    enum Format {
        TEXT,
        JSON,
        FBS
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = {
                "text: a tree (default);",
                "json: Arrow's integration JSON, one object per file, each on its own line;",
                "fbs: a Schema table as JSON for flatc -b format/Schema.fbs."
            })
    private Format format;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean json;

    @Option(
            names = "--column",
            paramLabel = "PATH",
            description = "Show only this column: names joined by dots, such as point.x.")
    private String column;

    @Option(
            names = "--group",
            description = {
                "Group the files by schema, the largest group first,",
                "and print how each group differs from the first.",
                "Exit status 1 if there are several groups."
            })
    private boolean isGrouped;

    @Option(names = "--ignore-metadata", description = "With --group: ignore custom metadata.")
    private boolean ignoresMetadata;

    private SchemaGroups groups;

    /// What adds the schemas with errors of an input to their groups.
    private final Map<InputOutput, List<Runnable>> invalid = new ConcurrentHashMap<>();

    @Override
    protected void check(Usage usage) {
        boolean isOther = format != null && format != Format.JSON;
        usage.refuse(json && isOther, "--json and another --format cannot be combined");
        usage.refuse(
                isGrouped && format == Format.FBS, "--group and --format fbs cannot be combined");
        usage.excludes("--group", "--column");
        usage.requires("--ignore-metadata", "--group");
        groups = new SchemaGroups(ignoresMetadata);
        if (json) {
            format = Format.JSON;
        } else if (format == null) {
            format = Format.TEXT;
        }
    }

    @Override
    protected Need need() {
        return schemaNeed();
    }

    @Override
    protected boolean answersInJson() {
        return format == Format.JSON;
    }

    @Override
    protected Fault show(String name, Input input, InputOutput out) throws IOException {
        if (isGrouped) {
            return group(name, input, out);
        }
        Schema schema = input.schema();
        SchemaSize.check(schema, input.limits());
        if (column != null && FieldSelection.of(schema, column).isEmpty()) {
            throw Failures.wrongOption("--column", ColumnCheck.missing(column, schema));
        }
        Fault error = SchemaErrors.fault(input, schema);
        if (format == Format.TEXT) {
            heading(name, input, out);
            SchemaText.write(schema, column, out);
            readOn(input, out);
        } else {
            json(name, schema, error, input, out);
        }
        return fault(error, input);
    }

    /// Adds the schema to its group, also if it has errors but can be compared.
    private Fault group(String name, Input input, InputOutput out) throws IOException {
        Schema schema = input.schema();
        ArrowSchema found = Models.shown(input, schema);
        String digest = groups.digest(found);
        Fault error = SchemaErrors.fault(input, schema);
        readOn(input, out);
        Fault fault = fault(error, input);
        Runnable add = () -> groups.add(name, digest, found);
        if (fault == null) {
            out.atEnd(add);
        } else if (fault == error) { // the input is not damaged
            invalid.computeIfAbsent(out, _ -> new ArrayList<>()).add(add);
        }
        return fault;
    }

    /// What is wrong with the schema, and with the input; null if both are sound.
    private static Fault fault(Fault error, Input input) {
        Fault damage = input.fault();
        if (error == null || damage == null) {
            return error == null ? damage : error;
        }
        return input.footerFault() == null ? error.and(damage) : damage.and(error);
    }

    @Override
    protected void failed(InputOutput input, PrintWriter out) {
        List<Runnable> streams = invalid.remove(input);
        if (streams == null) {
            groups.leaveOut();
        } else {
            streams.forEach(Runnable::run);
        }
    }

    @Override
    protected int finish(PrintWriter out) throws IOException {
        if (!isGrouped) {
            return 0;
        }
        if (format == Format.JSON) {
            groups.json(out);
        } else {
            groups.text(out);
        }
        return groups.count() > 1 ? Failures.INVALID : 0;
    }

    private void json(String name, Schema schema, Fault error, Input input, PrintWriter out)
            throws IOException {
        boolean isFbs = format == Format.FBS;
        try (JsonGenerator generator =
                isFbs ? JsonOutput.line(out) : JsonOutput.object(name, input, out)) {
            if (isFbs) {
                new FbsFormat(generator).write(schema, column);
            } else {
                json(generator, schema);
            }
            readOn(input, out);
            if (!isFbs) {
                JsonOutput.fault(generator, fault(error, input));
                JsonOutput.nextStream(generator, input);
            }
        }
    }

    private void json(JsonGenerator generator, Schema schema) throws IOException {
        if (column != null) {
            generator.writeStringField("column", column);
        }
        // Integration JSON cannot express these two.
        int endianness = schema.endianness();
        if (endianness != Endianness.LITTLE) {
            generator.writeStringField("endianness", Endianness.NAMES.name(endianness));
        }
        if (schema.featuresCount() > 0) {
            generator.writeArrayFieldStart("features");
            for (int i = 0; i < schema.featuresCount(); i++) {
                generator.writeString(Feature.NAMES.name(schema.features(i)));
            }
            generator.writeEndArray();
        }
        generator.writeFieldName("schema");
        new IntegrationJson(generator).write(schema, column);
    }
}
