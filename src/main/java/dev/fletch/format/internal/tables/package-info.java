// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The description of Arrow's tables and types as data. Not exported.
///
/// **Belongs here**: fields, unions, defaults, names and sizes of all tables, and the properties of
/// all types, each once.
///
/// **Does not**: flyweights, which are verified by these tables; code for individual tables.
///
/// **Threads.** Rules are immutable; a flyweight belongs to one thread at a time.
package dev.fletch.format.internal.tables;
