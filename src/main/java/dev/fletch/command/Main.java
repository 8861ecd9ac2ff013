// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.Rule;
import dev.fletch.command.annotate.AnnotateCommand;
import dev.fletch.command.convert.ConvertCommand;
import dev.fletch.command.diff.DiffCommand;
import dev.fletch.command.io.Failures;
import dev.fletch.command.io.FilesCommand;
import dev.fletch.command.io.OutputClosed;
import dev.fletch.command.io.OutputFile;
import dev.fletch.command.io.Progress;
import dev.fletch.command.io.StandardOutput;
import dev.fletch.command.map.ColumnsCommand;
import dev.fletch.command.map.MapCommand;
import dev.fletch.command.schema.SchemaCommand;
import dev.fletch.command.text.Terminal;
import dev.fletch.command.verify.VerifyCommand;
import dev.fletch.input.FileName;
import dev.fletch.input.ReadFailure;
import dev.fletch.ipc.internal.Work;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The `fletch` command: its subcommands, and the handling of their failures.
///
/// Exit status: 0 success; 1 the input is invalid or differs; 2 usage or I/O error. With several
/// inputs, the highest status of all.
@Command(
        name = "fletch",
        description = "Inspects, verifies and converts Apache Arrow IPC files and streams.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footerHeading =
                "%nExit status: 0 success; 1 the input is invalid or differs; 2 usage or I/O"
                        + " error.%n",
        footer = {
            "%nExample:",
            "  fletch ls trades.arrow",
            "%nIn a clone, ./fletch bench runs the benchmarks."
        })
public final class Main implements Runnable {
    /// The narrowest help that picocli supports, in characters.
    static final int LEAST_HELP_WIDTH = 55;

    static final int USUAL_HELP_WIDTH = 80;

    /// The subcommands, in the order of the help.
    static final List<String> COMMANDS =
            List.of(
                    "ls",
                    "schema",
                    "count",
                    "columns",
                    "head",
                    "verify",
                    "map",
                    "annotate",
                    "ext",
                    "json",
                    "convert",
                    "diff",
                    "generate-completion",
                    "help");

    /// The version in the jar's manifest.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"fletch " + (version == null ? "(not from a jar)" : version)};
        }
    }

    @Spec private CommandSpec spec;

    static {
        // It would warn about a name in quotes that are not closed.
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
    }

    private Main() {}

    /// Runs a command line and ends the process with its status.
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) { // exit is slower than return
            System.exit(status);
        }
    }

    static int run(String[] args) {
        try (Progress progress = Progress.on(StandardOutput.error())) {
            return run(args, StandardOutput.out(progress), StandardOutput.err(progress));
        }
    }

    static int run(String[] args, PrintWriter out, PrintWriter err) {
        try {
            FilesCommand plain = plain(args);
            if (plain != null) {
                int status = plain.show(List.of(args).subList(1, args.length), out, err);
                out.flush();
                return status;
            }
            // Help has colours under the same conditions as `fletch annotate`.
            boolean isColored = Terminal.isColored(Terminal.Color.AUTO);
            Help.Ansi ansi = isColored ? Help.Ansi.ON : Help.Ansi.OFF;
            CommandLine command =
                    commandLine(args.length == 0 ? "" : args[0])
                            .setOut(out)
                            .setErr(err)
                            .setColorScheme(Help.defaultColorScheme(ansi))
                            .setUsageHelpWidth(helpWidth(args));
            int status = Work.watched(Progress.MONITOR, () -> command.execute(args));
            out.flush();
            err.flush();
            return status;
        } catch (Throwable e) { // reading a mapped file can fail at any time
            return Failures.uncaught(e, err);
        }
    }

    /// The command of a command line without options; null for other command lines. Skips picocli:
    /// its setup takes three times as long as printing a small file.
    static FilesCommand plain(String[] args) {
        for (int i = 1; i < args.length; i++) {
            boolean isStandardInput = args[i].equals("-") && args.length == 2;
            if (args[i].startsWith("-") && !isStandardInput) {
                return null;
            }
        }
        return args.length > 1 && subcommand(args[0]) instanceof FilesCommand plain ? plain : null;
    }

    /// Creates a subcommand; returns null if none has that name.
    static Object subcommand(String name) {
        return switch (name) {
            case "ls" -> new LsCommand();
            case "schema" -> new SchemaCommand();
            case "count" -> new CountCommand();
            case "columns" -> new ColumnsCommand();
            case "head" -> new HeadCommand();
            case "verify" -> new VerifyCommand();
            case "map" -> new MapCommand();
            case "annotate" -> new AnnotateCommand();
            case "ext" -> new ExtCommand();
            case "json" -> new JsonCommand();
            case "convert" -> new ConvertCommand();
            case "diff" -> new DiffCommand();
            case "generate-completion" -> new CompletionCommand();
            case "help" -> new HelpCommand();
            default -> null;
        };
    }

    /// The width of help in characters: that of the terminal, within picocli's limits. Only for
    /// help, because reading the terminal's width starts a process.
    private static int helpWidth(String[] args) {
        List<String> given = Arrays.asList(args);
        boolean asked = given.contains("--help") || given.contains("-h") || given.contains("help");
        return asked
                ? Math.clamp(Terminal.outputWidth(), LEAST_HELP_WIDTH, USUAL_HELP_WIDTH)
                : USUAL_HELP_WIDTH;
    }

    /// The command with all subcommands, ready to execute; tests set their own writers.
    public static CommandLine commandLine() {
        return commandLine("");
    }

    /// The command with only the requested subcommand. It has all subcommands if none has that
    /// name, or for `help` and `generate-completion`, which use the others.
    private static CommandLine commandLine(String requested) {
        CommandLine command = new CommandLine(new Main());
        boolean isAlone =
                COMMANDS.contains(requested)
                        && !requested.equals("help")
                        && !requested.equals("generate-completion");
        List<String> names = isAlone ? List.of(requested) : COMMANDS;
        names.forEach(name -> command.addSubcommand(name, subcommand(name)));
        return ready(command);
    }

    /// Prepares a command for execution.
    private static CommandLine ready(CommandLine command) {
        command.getSubcommands().values().forEach(each -> setChoices(each.getCommandSpec()));
        return command.setExpandAtFiles(false) // a file name may begin with @
                .registerConverter(Path.class, Main::path)
                .registerConverter(Rule.class, Main::rule)
                .registerConverter(int.class, text -> (int) number(text, Integer.MAX_VALUE))
                .registerConverter(Integer.class, text -> (int) number(text, Integer.MAX_VALUE))
                .registerConverter(long.class, text -> number(text, Long.MAX_VALUE))
                .registerConverter(Long.class, text -> number(text, Long.MAX_VALUE))
                .setExecutionStrategy(Main::execute)
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler((e, of, _) -> Failures.uncaught(e, of.getErr()));
    }

    /// The path of a file to write: inputs are no paths, but names.
    private static Path path(String name) {
        if (OutputFile.isFolder(name)) {
            throw new TypeConversionException("names a folder: " + name);
        }
        try {
            return FileName.path(name);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(ReadFailure.text(e));
        }
    }

    /// Lets an option with a fixed set of values take these in any case, and completion list them.
    private static void setChoices(CommandSpec spec) {
        for (OptionSpec each : List.copyOf(spec.options())) {
            if (each.type().isEnum()) {
                List<?> values = List.of(each.type().getEnumConstants());
                List<String> names =
                        values.stream().map(v -> v.toString().toLowerCase(Locale.ROOT)).toList();
                spec.remove(each)
                        .addOption(
                                OptionSpec.builder(each)
                                        .completionCandidates(names)
                                        .converters(text -> choice(values, names, text))
                                        .build());
            }
        }
    }

    private static <T> T choice(List<T> values, List<String> names, String text) {
        int index = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (index < 0) {
            throw new TypeConversionException(
                    "expected one of " + String.join(", ", names) + ", but was '" + text + "'");
        }
        return values.get(index);
    }

    /// A number of an option: none has negative ones.
    private static long number(String text, long most) {
        long number = -1;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException _) {
            // Refused below.
        }
        if (number < 0 || number > most) {
            throw new TypeConversionException(
                    "expected a whole number from 0 to " + most + ", but was '" + text + "'");
        }
        return number;
    }

    /// The rule with a code.
    private static Rule rule(String code) {
        return Rule.all().stream()
                .filter(rule -> rule.id().equals(code))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("unknown rule code: " + code));
    }

    /// Catches what picocli does not pass to the exception handler: a failure to print help or
    /// version. Refuses the unknown arguments of `help`, which picocli ignores.
    private static int execute(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        if (last.commandSpec().helpCommand() && !last.unmatched().isEmpty()) {
            CommandLine help = last.commandSpec().commandLine();
            throw new UnmatchedArgumentException(help, last.unmatched());
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutputClosed e) {
            return Failures.uncaught(e, parsed.commandSpec().commandLine().getErr());
        }
    }

    /// Called if the command line has no subcommand.
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }
}
