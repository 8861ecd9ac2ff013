// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The `fletch` command. Not exported: its interface is the command line.
package dev.fletch.cli;
