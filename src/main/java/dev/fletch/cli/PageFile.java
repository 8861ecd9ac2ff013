// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Where a page goes: a file, or standard output.
///
/// It is written in a place of its own first: a failure leaves no half of a page, and the page that
/// was there before as it was.
record PageFile(Path target) {
    /// What writes a page.
    interface Content {
        void write(BufferedWriter to) throws IOException;
    }

    /// Whether the page is all that standard output gets.
    boolean isOutput() {
        return target.toString().equals(InputBytes.STANDARD_INPUT);
    }

    /// Fails if the page would overwrite what it shows.
    void refuseInput(String input) throws IOException {
        boolean isInput =
                !input.equals(InputBytes.STANDARD_INPUT)
                        && Files.exists(target)
                        && Files.isSameFile(target, Path.of(input));
        if (isInput) {
            throw new IOException("page would overwrite the input");
        }
    }

    void write(PrintWriter out, Content content) throws IOException {
        try (FileChannel drawn = NamelessFile.create()) {
            BufferedWriter writer = new BufferedWriter(Channels.newWriter(drawn, UTF_8));
            content.write(writer);
            writer.flush();
            drawn.position(0);
            if (isOutput()) {
                Channels.newReader(drawn, UTF_8).transferTo(out);
            } else {
                copy(drawn);
            }
        }
    }

    private void copy(FileChannel drawn) throws IOException {
        try (OutputStream to = Files.newOutputStream(target)) {
            Channels.newInputStream(drawn).transferTo(to);
        } catch (IOException e) {
            throw new IOException("cannot write " + target + ": " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
