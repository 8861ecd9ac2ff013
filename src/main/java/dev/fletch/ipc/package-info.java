// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's framing around the metadata: encapsulated messages, streams and files.
package dev.fletch.ipc;
