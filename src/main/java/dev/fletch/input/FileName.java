// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Names of files as text, such as arguments of a command line.
///
/// The JVM replaces bytes that are not characters of the locale by U+FFFD. In UTF-8, the result is
/// the name of another file, so such names are refused. A name that really has this character is
/// accepted if the process's command line proves it. So is a file in a folder, whose path has the
/// original bytes.
public final class FileName {
    private static final String CHARSET = System.getProperty("sun.jnu.encoding", "unknown");
    private static final char REPLACEMENT = '\uFFFD';
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final Path WORKING_FOLDER = Path.of("/proc/self/cwd");

    private FileName() {}

    /// Converts a name to a path.
    ///
    /// @throws InvalidPathException if it is none, or may be that of another file
    public static Path path(String name) {
        requireDecoded(name);
        Path path = Path.of(name);
        String folder = System.getProperty("user.dir", "");
        if (isGarbled(folder)
                && !path.isAbsolute()
                && !name.equals(InputBytes.STANDARD_INPUT)
                && !isWorkingFolder()) {
            String remedy = "; work in another one, or give complete names";
            throw new InvalidPathException(name, "its folder's " + problem() + remedy);
        }
        return path;
    }

    /// Throws if bytes of a name, or of a link, were replaced.
    ///
    /// @throws InvalidPathException as [#path] does
    public static void requireDecoded(String name) {
        if (isGarbled(name) && !isCommandLineDecoded()) {
            throw new InvalidPathException(name, problem());
        }
    }

    /// Throws if the name of a file in a folder is shown as that of another file.
    ///
    /// @param path has the file's own bytes
    /// @throws InvalidPathException as [#path] does
    static void requireDecoded(Path path) {
        String name = path.toString();
        if (isGarbled(name) && !path.equals(Path.of(name))) {
            throw new InvalidPathException(name, problem());
        }
    }

    /// Returns the text for an invalid file name.
    static String text(InvalidPathException failure) {
        if (!isGarbled(failure.getInput())) {
            return "not a file name: " + failure.getReason();
        }
        String remedy =
                mustBeRenamed(failure)
                        ? "rename the file"
                        : "set LC_ALL to a UTF-8 locale, such as C.UTF-8";
        return problem() + ": " + remedy;
    }

    /// Whether a file cannot be opened by its name in any locale.
    public static boolean mustBeRenamed(InvalidPathException failure) {
        return isGarbled(failure.getInput()) && CHARSET.equals(StandardCharsets.UTF_8.name());
    }

    private static String problem() {
        return "name has bytes that are not characters in this locale (" + CHARSET + ")";
    }

    private static boolean isGarbled(String name) {
        return name.indexOf(REPLACEMENT) >= 0;
    }

    /// Whether the process's arguments have U+FFFD, and no bytes that are replaced by it.
    private static boolean isCommandLineDecoded() {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(COMMAND_LINE));
            return isGarbled(Charset.forName(CHARSET).newDecoder().decode(bytes).toString());
        } catch (IOException | IllegalArgumentException _) { // also CharacterCodingException
            return false;
        }
    }

    /// Whether Java resolves relative paths in the folder that the process works in.
    private static boolean isWorkingFolder() {
        try {
            return Files.readSymbolicLink(WORKING_FOLDER).equals(Path.of("").toAbsolutePath());
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }
}
