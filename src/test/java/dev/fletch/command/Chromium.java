// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// One page in a headless Chromium, driven through its DevTools protocol.
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");
    private static final int PATIENCE_SECONDS = 30;

    /// Locks the one browser: a test has it for itself, so that its page is the one in front.
    public static final String LOCK = "dev.fletch.command.Chromium";

    private static Browser shared;

    private final Browser browser;
    private final String target;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final BlockingQueue<Map<String, Object>> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> loads = new LinkedBlockingQueue<>();
    // What the page has complained of, and what it has asked for.
    private final List<String> complaints = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private int calls;

    private Chromium(Browser browser, Map<String, Object> target) {
        this.browser = browser;
        this.target = (String) target.get("id");
        URI endpoint = URI.create((String) target.get("webSocketDebuggerUrl"));
        this.socket = client.newWebSocketBuilder().buildAsync(endpoint, new Events()).join();
    }

    private static Optional<String> installed() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(path -> NAMES.stream().map(Path.of(path)::resolve))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /// Skips the calling test where there is no browser.
    static void assumeInstalled() {
        assumeTrue(installed().isPresent(), "no Chromium here (Debian: chromium)");
    }

    /// Returns an empty page of its own. The browser that is started first serves all tests, and
    /// ends with their process.
    public static synchronized Chromium page() throws IOException, InterruptedException {
        if (shared == null) {
            shared = Browser.start();
        }
        return new Chromium(shared, shared.ask("PUT", "/json/new?about:blank"));
    }

    /// A running browser.
    ///
    /// @param process its own
    /// @param port where it is asked for pages
    private record Browser(Process process, int port) {
        static Browser start() throws IOException, InterruptedException {
            String browser = installed().orElseThrow();
            Path folder = Files.createTempDirectory("fletch-chromium-");
            Path profile = folder.resolve("profile");
            ProcessBuilder builder =
                    new ProcessBuilder(
                                    browser,
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--no-first-run",
                                    "--window-size=1200,900",
                                    "--remote-debugging-port=0",
                                    "--user-data-dir=" + profile,
                                    "about:blank")
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("chromium.log").toFile());
            builder.environment().put("TMPDIR", folder.toString());
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder)));
            return new Browser(process, port(process, profile.resolve("DevToolsActivePort")));
        }

        private static int port(Process process, Path file)
                throws IOException, InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (System.nanoTime() < end && process.isAlive()) {
                if (Files.exists(file) && Files.readString(file).contains("\n")) {
                    return Integer.parseInt(Files.readAllLines(file).getFirst());
                }
                Thread.sleep(50);
            }
            throw new IOException("Chromium does not start: alive=" + process.isAlive());
        }

        /// The browser's answer to a request, an object.
        Map<String, Object> ask(String method, String path)
                throws IOException, InterruptedException {
            return JsonTree.object(JsonTree.parse(text(method, path)));
        }

        String text(String method, String path) throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IOException(path + ": " + answer + ": " + answer.body());
                }
                return answer.body();
            }
        }

        private static void end(Process process, Path folder) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            try {
                process.onExit().get(10, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException _) {
                process.destroyForcibly().onExit().join();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
            } catch (IOException | UncheckedIOException _) {
                // A last process of the browser's may still write there.
            }
        }
    }

    /// Puts messages together from their parts.
    private final class Events implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                Object message = JsonTree.parse(text.toString());
                text.setLength(0);
                take(JsonTree.object(message));
            }
            from.request(1);
            return null;
        }

        private void take(Map<String, Object> message) {
            String method = (String) message.getOrDefault("method", "");
            switch (method) {
                case "" -> answers.add(message);
                case "Page.loadEventFired" -> loads.add(true);
                case "Network.requestWillBeSent" -> {
                    Object request = JsonTree.object(message.get("params")).get("request");
                    requests.add((String) JsonTree.object(request).get("url"));
                }
                case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded" ->
                        complaints.add(message.toString());
                default -> {}
            }
        }
    }

    /// Calls a method and waits for its answer.
    ///
    /// @param parameters as JSON
    public Map<String, Object> call(String method, String parameters) {
        int id = ++calls;
        String call = "{\"id\": %d, \"method\": \"%s\", \"params\": %s}";
        socket.sendText(call.formatted(id, method, parameters), true).join();
        try {
            while (true) {
                Map<String, Object> answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (answer == null || answer.containsKey("error")) {
                    throw new IllegalStateException(method + ": " + answer);
                }
                if (answer.get("id").equals((long) id)) {
                    return JsonTree.object(answer.get("result"));
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /// Goes to a page and waits until it is loaded.
    public void open(Path page) throws InterruptedException {
        for (String each : List.of("Runtime", "Log", "Page", "Network")) {
            call(each + ".enable", "{}");
        }
        loads.clear();
        requests.clear();
        complaints.clear();
        call("Page.navigate", "{\"url\": %s}".formatted(quoted(page.toUri().toString())));
        if (loads.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("page does not load: " + page);
        }
    }

    /// Value of an expression, as text, when two frames were drawn: what an event leads to may take
    /// one.
    public String evaluate(String expression) {
        String drawn =
                "new Promise(done => { setTimeout(done, 500);"
                        + " requestAnimationFrame(() => requestAnimationFrame(done)) })";
        String whole = drawn + ".then(() => String(" + expression + "))";
        String parameters = "{\"awaitPromise\": true, \"expression\": %s}";
        Map<String, Object> answer = call("Runtime.evaluate", parameters.formatted(quoted(whole)));
        if (answer.containsKey("exceptionDetails")) {
            throw new IllegalStateException(answer.toString());
        }
        return (String) JsonTree.object(answer.get("result")).get("value");
    }

    /// Waits until an expression has a value.
    public void await(String expression, String value) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String found = evaluate(expression);
        while (!found.equals(value)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(expression + " is " + found + ", and not " + value);
            }
            found = evaluate(expression);
        }
    }

    /// Sets the size of the window, in pixels.
    public void resize(int width, int height) {
        String metrics =
                "{\"width\": %d, \"height\": %d, \"deviceScaleFactor\": 1, \"mobile\": false}";
        call("Emulation.setDeviceMetricsOverride", metrics.formatted(width, height));
    }

    /// Moves the mouse to the middle of a rectangle or an element that an expression yields.
    public void hover(String rectangle) {
        mouse("mouseMoved", rectangle, "none");
    }

    public void click(String rectangle) {
        mouse("mouseMoved", rectangle, "none");
        mouse("mousePressed", rectangle, "left");
        mouse("mouseReleased", rectangle, "left");
    }

    private void mouse(String type, String rectangle, String button) {
        String middle =
                "(r => `\"x\": ${Math.floor(r.x + r.width / 2)},"
                        + " \"y\": ${Math.floor(r.y + r.height / 2)}`)"
                        + "((e => e.getBoundingClientRect?.() ?? e)(%s))";
        String event = "{\"type\": \"%s\", %s, \"button\": \"%s\", \"clickCount\": %d}";
        String place = evaluate(middle.formatted(rectangle));
        int clicks = button.equals("none") ? 0 : 1;
        call("Input.dispatchMouseEvent", event.formatted(type, place, button, clicks));
    }

    /// Presses a key, such as `Tab` or `ArrowRight`.
    public void press(String key, int code) {
        for (String type : List.of("keyDown", "keyUp")) {
            String event =
                    "{\"type\": \"%s\", \"key\": %s, \"code\": %2$s,"
                            + " \"windowsVirtualKeyCode\": %3$d}";
            call("Input.dispatchKeyEvent", event.formatted(type, quoted(key), code));
        }
    }

    /// Errors, warnings and everything else that was written to the console.
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    public List<String> requests() {
        return List.copyOf(requests);
    }

    /// Closes the page. The browser stays for the next one.
    @Override
    public void close() throws IOException {
        socket.abort();
        client.shutdownNow();
        try {
            browser.text("GET", "/json/close/" + target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
