// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.io.Serial;

/// A `.fbs` file does not say something that [FbsParser] understands.
/// The message begins with file and line: `Schema.fbs:12: expected ';', found '}'`.
public final class FbsException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    FbsException(String file, int line, String reason) {
        super(file + ":" + line + ": " + reason);
    }
}
