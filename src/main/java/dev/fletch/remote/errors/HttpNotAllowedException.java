// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.errors;

/// Thrown for an `http` link to another machine, unless
/// [dev.fletch.remote.HttpOptions#withAllowsHttp].
public final class HttpNotAllowedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public HttpNotAllowedException(String message) {
        super(message);
    }
}
