// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The `fletch` command. Not exported: its interface is the command line, its texts, its JSON and its
/// exit statuses.
///
/// **Belongs here**: what makes something readable for a person or a program: tables, JSON, pages,
/// and one line on standard error for whatever fails; also whatever guesses, or goes on behind damage.
///
/// **Does not**: knowledge of the format. Where a command needs to know something, it asks a floor
/// below, so that the library's users can ask as well.
///
/// **Threads.** A command runs in one; only [Progress][dev.fletch.cli.io.Progress] has one of its own.
///
/// What takes a flatbuffer apart for `fletch annotate` (`FlatbufferWalk`) is
/// here and not in `format`: it goes by the rules that `format` has, [as data][dev.fletch.format.rules.ArrowRules],
/// but allocates an object per region, guesses behind damage, and speaks to a person. Nothing below
/// needs that.
package dev.fletch.cli;
