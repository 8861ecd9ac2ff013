// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Removes queries of links and the caller's headers from error texts, which servers and exceptions
/// of the JDK may repeat.
final class Secrets {
    /// Shorter parts of a query, such as `v=1`, are not secrets.
    private static final int LEAST_CHARS = 8;

    /// More than the redirects of all concurrent requests.
    private static final int MOST_LINKS = 64;

    private final URI first;
    private final Collection<String> headers;
    private final Deque<URI> redirects = new ArrayDeque<>();

    Secrets(URI first, Collection<String> headers) {
        this.first = first;
        this.headers = headers;
    }

    synchronized void add(URI redirect) {
        if (redirects.size() == MOST_LINKS) {
            redirects.removeFirst();
        }
        redirects.add(redirect);
    }

    synchronized String removed(String text) {
        Set<String> secrets = new HashSet<>(headers);
        addParts(first, secrets);
        redirects.forEach(link -> addParts(link, secrets));
        String clean = text;
        for (String secret :
                secrets.stream()
                        .filter(each -> each.length() >= LEAST_CHARS)
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList()) {
            clean = clean.replace(secret, "…");
        }
        return clean;
    }

    private static void addParts(URI link, Set<String> to) {
        if (link.getRawQuery() != null) {
            for (String query : List.of(link.getRawQuery(), link.getQuery())) {
                to.add(query);
                to.addAll(List.of(query.split("[&=;]")));
            }
        }
    }
}
