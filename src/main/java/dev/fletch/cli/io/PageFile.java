// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fletch.cli.text.PageTemplate;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// Where a page goes: a file, or standard output.
///
/// It is drawn in a place of its own first: an input that is found to be faulty leaves no half of a
/// page. How the file is written then is up to [OutputFile].
public final class PageFile {
    private final OutputFile target;

    public PageFile(Path target) {
        this.target = new OutputFile(target, "page");
    }

    /// What draws a page.
    public interface Content {
        /// @return whether the page has all of the input
        boolean write(BufferedWriter to) throws IOException;
    }

    /// Whether the page is all that standard output gets.
    public boolean isOutput() {
        return target.isOutput();
    }

    /// Writes the page of an input; on standard error it tells if that is not all of it.
    ///
    /// @throws IOException also if the page would overwrite the input
    public void write(String input, PrintWriter out, PrintWriter err, Content content)
            throws IOException {
        target.refuseInput(input);
        try (FileChannel drawn = UnlinkedTempFile.create()) {
            BufferedWriter writer = new BufferedWriter(Channels.newWriter(drawn, UTF_8));
            boolean isWhole = content.write(writer);
            writer.flush();
            drawn.position(0);
            if (isOutput()) {
                Channels.newReader(drawn, UTF_8).transferTo(out);
            } else {
                copy(drawn);
            }
            if (!isWhole) {
                Failures.note(input, PageTemplate.END, err);
            }
        }
    }

    private void copy(FileChannel drawn) throws IOException {
        try {
            target.write(true, to -> Channels.newInputStream(drawn).transferTo(to));
        } catch (IOException e) {
            String name = InputBytes.title(target.path().toString());
            throw new IOException("cannot write " + name + ": " + e.getMessage(), e);
        }
    }
}
