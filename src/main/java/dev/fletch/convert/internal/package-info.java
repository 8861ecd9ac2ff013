// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Which messages of an input are written, in which order, and what is left out. Not exported.
package dev.fletch.convert.internal;
