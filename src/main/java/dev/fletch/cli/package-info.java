// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The `fletch` command. Not exported: its interface is the command line.
///
/// **Belongs here:** text, JSON and pages for people and programs, exit statuses, and whatever guesses
/// or goes on behind damage. **Does not:** a rule of the format that a library's user could need.
///
/// What takes a flatbuffer apart for `fletch annotate` ([BufferWalk][dev.fletch.cli.BufferWalk]) is
/// here and not in `format`: it goes by the rules that `format` has, [as data][dev.fletch.format.ArrowRules],
/// but allocates an object per region, guesses behind damage, and speaks to a person. Nothing below
/// needs that.
package dev.fletch.cli;
