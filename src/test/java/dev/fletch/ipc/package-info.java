// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Tests of the framing: messages, streams and files.
package dev.fletch.ipc;
