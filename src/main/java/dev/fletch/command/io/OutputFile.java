// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.command.text.PageTemplate;
import dev.fletch.command.text.Terminal;
import dev.fletch.input.FileName;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Links;
import dev.fletch.input.ReadFailure;
import dev.fletch.input.TemporaryFile;

import picocli.CommandLine.Option;

import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.security.SecureRandom;

/// A file that is written completely or not at all.
///
/// The content goes to a temporary file in the same folder, which then replaces the file. A
/// failure, such as a full disk, leaves the old file unchanged. Symbolic links are followed, and
/// permissions are kept.
///
/// Files that cannot be replaced are written in place, and a failure may leave a partial file: a
/// pipe, a device, a file with several hard links, a mount point, and a file in a folder without
/// write permission.
///
/// @param path the argument
/// @param content noun for the content, for messages
public record OutputFile(Path path, String content) {
    private static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    private static final int MOST_LINKS = 40;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// `--force`.
    public static final class ForceOption {
        @Option(names = "--force", description = "Overwrite the file to write if it exists.")
        private boolean isGiven;

        public boolean isGiven() {
            return isGiven;
        }
    }

    /// Writes the content.
    public interface Content {
        void write(WritableByteChannel to) throws IOException;
    }

    /// Writes the data of a page.
    public interface PageData {
        /// @return whether the page shows all of the input
        boolean write(JsonGenerator to) throws IOException;
    }

    /// Whether an argument names a folder, which a [Path] of it does not.
    public static boolean isFolder(String name) {
        return name.endsWith("/") || name.endsWith(File.separator);
    }

    /// Throws if standard output is a file that is also the input, such as after `>>`.
    ///
    /// @throws IOException that names the input
    public static void refuseStandardOutput(String input) throws IOException {
        try {
            new OutputFile(Path.of(InputBytes.STANDARD_INPUT), "standard output")
                    .refuseInput(input);
        } catch (InvalidPathException _) {
            // Opening the input reports the error.
        } catch (IOException e) {
            throw new IOException(InputBytes.title(input) + ": " + e.getMessage(), e);
        }
    }

    /// Whether the path is `-`.
    public boolean isStandardOutput() {
        return path.toString().equals(InputBytes.STANDARD_INPUT);
    }

    /// Whether it is standard output, and that is a terminal.
    public boolean isTerminal() {
        return isStandardOutput() && Terminal.isTerminal(Terminal.OUTPUT);
    }

    /// The name for messages.
    public String title() {
        return isStandardOutput() ? "standard output" : InputBytes.title(path.toString());
    }

    /// Writes the page of an input to this file or to standard output. Writes it to a temporary
    /// file first, so a faulty input leaves no partial page.
    ///
    /// @param template of [PageTemplate#of]
    /// @param mayReplace whether an existing file is replaced
    /// @param err gets a note if the page does not show all of the input
    /// @throws IOException if writing fails, or if the page would overwrite the input
    public void writePage(
            String template,
            boolean mayReplace,
            String input,
            PrintWriter out,
            PrintWriter err,
            PageData data)
            throws IOException {
        refuseInput(input);
        PageTemplate page = PageTemplate.of(template);
        try (FileChannel drawn = TemporaryFile.create()) {
            var writer =
                    new BufferedWriter(
                            new OutputStreamWriter(TemporaryFile.appendTo(drawn), UTF_8));
            boolean isWhole;
            writer.write(page.before());
            try (JsonGenerator json = JsonOutput.inMarkup(writer)) {
                isWhole = data.write(json);
            }
            writer.write(page.after());
            writer.flush();
            if (isStandardOutput()) {
                Channels.newReader(drawn, UTF_8).transferTo(out);
            } else {
                InputStream from = Channels.newInputStream(drawn);
                writeNamed(mayReplace, to -> from.transferTo(Channels.newOutputStream(to)));
            }
            if (!isWhole) {
                Failures.note(InputBytes.title(input), PageTemplate.END, err);
            }
        }
    }

    /// Throws if this file is the input: has the same device and inode. Recognizes standard input
    /// and output only on systems with `/dev/stdin` and `/dev/stdout`. Those that are no files may
    /// be the same, such as a terminal.
    public void refuseInput(String input) throws IOException {
        if (Links.isLink(input)) {
            return;
        }
        boolean isNamed = !input.equals(InputBytes.STANDARD_INPUT);
        Path from = isNamed ? FileName.path(input) : STANDARD_INPUT;
        Path to = isStandardOutput() ? STANDARD_OUTPUT : path;
        boolean areNamed = isNamed && !isStandardOutput();
        boolean isInput =
                (areNamed ? Files.exists(to) : Files.isRegularFile(to))
                        && Files.exists(from)
                        && Files.isSameFile(to, from);
        if (isInput) {
            String output = isStandardOutput() ? title() : content;
            throw new IOException(output + " would overwrite the input");
        }
    }

    /// Same as [#write]; the message of an exception has the path.
    public void writeNamed(boolean mayReplace, Content writer) throws IOException {
        try {
            write(mayReplace, writer);
        } catch (IOException e) {
            throw new IOException("cannot write " + title() + ": " + e.getMessage(), e);
        }
    }

    /// Writes the file, or standard output.
    ///
    /// @param mayReplace whether an existing file is replaced
    /// @throws IOException if writing fails; its message is only the reason, without the path
    /// @throws OutputClosed if writing to standard output fails
    public void write(boolean mayReplace, Content writer) throws IOException {
        if (isStandardOutput()) {
            try {
                writer.write(Channels.newChannel(StandardOutput.bytes()));
            } catch (EOFException e) { // of the input, which has become shorter
                throw e;
            } catch (IOException e) {
                throw new OutputClosed(e);
            }
            return;
        }
        try {
            if (Links.isLink(path.toString())) {
                throw new IOException("is a link; only files can be written");
            }
            if (path.toString().isEmpty()) { // Java takes an empty path for the working folder
                throw new IOException("no such file");
            }
            Path file = followed();
            if (Files.isDirectory(file)) {
                throw new IOException("is a directory");
            }
            boolean exists = Files.exists(file);
            if (exists && !mayReplace && Files.isRegularFile(file)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            if (exists && !isReplaceable(file) || !replace(file, exists, writer)) {
                fill(file, writer);
            }
        } catch (FileAlreadyExistsException e) {
            throw new IOException("already exists; --force overwrites it", e);
        } catch (IOException e) {
            throw new IOException(ReadFailure.reason(e, "no such folder"), e);
        }
    }

    private static void fill(Path file, Content writer) throws IOException {
        try (FileChannel to = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
            writer.write(to);
        }
    }

    /// Writes a temporary file and moves it to its place. Returns false if this is not possible;
    /// nothing was written then.
    private static boolean replace(Path file, boolean exists, Content writer) throws IOException {
        Path draft = file.resolveSibling(".fletch-" + Long.toHexString(RANDOM.nextLong()) + ".tmp");
        try {
            Files.createFile(draft);
        } catch (AccessDeniedException e) {
            if (exists) {
                return false;
            }
            throw e;
        }
        draft.toFile().deleteOnExit(); // also if a signal ends the process
        try {
            if (exists) {
                takePermissions(file, draft);
            }
            fill(draft, writer);
            if (exists) {
                try {
                    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException _) { // such as a mount point
                    try (OutputStream to = Files.newOutputStream(file)) {
                        Files.copy(draft, to);
                    }
                }
            } else {
                Files.move(draft, file);
            }
            return true;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static boolean isReplaceable(Path file) throws IOException {
        boolean hasLinkCount = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return Files.isRegularFile(file)
                && Files.isWritable(file)
                && (!hasLinkCount || Files.getAttribute(file, "unix:nlink").equals(1));
    }

    /// Gives the temporary file the permissions of the file that it replaces. Systems that are not
    /// POSIX take them from the folder.
    private static void takePermissions(Path file, Path draft) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(Files.getPosixFilePermissions(file));
        }
    }

    /// Follows symbolic links; the file need not exist.
    private Path followed() throws IOException {
        if (Files.exists(path)) {
            // The names of pipes behind links are no paths.
            return Files.isRegularFile(path) ? path.toRealPath() : path;
        }
        Path file = path.toAbsolutePath();
        for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(file); i++) {
            file = file.resolveSibling(Files.readSymbolicLink(file));
        }
        if (Files.isSymbolicLink(file)) {
            throw new IOException("too many symbolic links, or they form a circle");
        }
        return file;
    }
}
