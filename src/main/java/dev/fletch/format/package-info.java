// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's metadata: one flyweight per table of the declarations in `format/`, and the ids of their
/// enums and unions.
package dev.fletch.format;
