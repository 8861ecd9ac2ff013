// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Opens pages in Chromium and acts on them: files and commands are those of a [CommandSession].
///
/// `open map @name` opens the page that `map --html` makes of a file, `open1` if its status is 1. `js` shows the value of an
/// expression, a frame after what was done before; `do` evaluates one without showing it; `await
/// expression = value` waits for a value. `hover` and `click` take an expression for an element or a rectangle, `press` a key and its code,
/// `resize` the size of the window, `scheme` `light` or `dark`. A page asks for nothing but itself,
/// and writes nothing to the console.
final class PageSession implements Transcript.Session {
    private final CommandSession commands;
    private Chromium browser;
    private Path page;

    PageSession(Path temporary) {
        commands = new CommandSession(temporary);
    }

    @Override
    public List<String> run(String statement) throws IOException, InterruptedException {
        String[] words = statement.split(" ", 2);
        switch (words[0]) {
            case "open", "open1" -> {
                return open(words[1], words[0].equals("open") ? 0 : 1);
            }
            case "js" -> {
                return browser().evaluate(words[1]).lines().map(each -> "> " + each).toList();
            }
            case "do" -> browser().evaluate(words[1]);
            case "await" -> {
                String[] sides = words[1].split(" = ");
                browser().await(sides[0], sides[1]);
            }
            case "hover" -> browser().hover(words[1]);
            case "click" -> browser().click(words[1]);
            case "press" -> {
                String[] key = words[1].split(" ");
                browser().press(key[0].equals("Space") ? " " : key[0], Integer.parseInt(key[1]));
            }
            case "resize" -> {
                String[] size = words[1].split(" ");
                browser().resize(Integer.parseInt(size[0]), Integer.parseInt(size[1]));
            }
            case "scheme" -> {
                String features =
                        "{\"features\": [{\"name\": \"prefers-color-scheme\","
                                + " \"value\": \"%s\"}]}";
                browser().call("Emulation.setEmulatedMedia", features.formatted(words[1]));
            }
            default -> {
                return commands.run(statement);
            }
        }
        return List.of();
    }

    private List<String> open(String command, int status) throws IOException, InterruptedException {
        requireQuiet();
        String[] words = command.split(" ", 2);
        List<String> output =
                new ArrayList<>(
                        commands.command(
                                words[0] + " --force --html @page.html " + words[1], status));
        output.removeIf(each -> each.startsWith(">"));
        page = commands.file("page.html");
        browser().open(page);
        return output;
    }

    private Chromium browser() {
        if (browser == null) {
            try {
                browser = Chromium.page();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return browser;
    }

    private void requireQuiet() {
        if (page != null) {
            assertEquals(List.of(), browser.complaints());
            assertEquals(List.of(page.toUri().toString()), browser.requests());
        }
    }

    @Override
    public void close() throws IOException {
        if (browser != null) {
            try (Chromium _ = browser) {
                requireQuiet();
            }
        }
    }
}
