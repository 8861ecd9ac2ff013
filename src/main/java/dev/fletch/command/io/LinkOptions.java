// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.remote.HttpOptions;

import picocli.CommandLine.Option;

import java.util.Locale;
import java.util.Set;

/// How inputs that are links are read.
public final class LinkOptions {
    static final String ALLOW_HTTP = "--allow-http";

    private static final String VARIABLE = "FLETCH_ALLOW_HTTP";
    private static final Set<String> OFF = Set.of("", "0", "no", "false");

    @Option(
            names = ALLOW_HTTP,
            description = {
                "Also read http links to other machines, without",
                "encryption; so does " + VARIABLE + "=yes."
            })
    private boolean allowsHttp;

    /// The options of requests.
    public HttpOptions http() {
        String set = System.getenv().getOrDefault(VARIABLE, "");
        boolean isOn = allowsHttp || !OFF.contains(set.toLowerCase(Locale.ROOT));
        return HttpOptions.DEFAULT.withAllowsHttp(isOn);
    }
}
