// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import java.io.Serializable;

/// A file to scan.
///
/// @param name an absolute path, or a link; its query may be a secret
/// @param failure why it cannot be read, if listing has shown it; else null
public record FileName(String name, String failure) implements Serializable {}
