// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

/// Thrown for an `http` link to another machine, unless [HttpOptions#allowsHttp].
public final class HttpNotAllowedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    HttpNotAllowedException(String message) {
        super(message);
    }
}
