// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Arrow's metadata: one flyweight and one encoder per table of the declarations in `format/`, the
/// ids of their enums and unions, and the rules by which they are verified.
///
/// **Belongs here:** what the `.fbs` files say, one line per field; the order in which producers
/// write ([MetadataWriter][dev.fletch.format.MetadataWriter]); headers that repeat
/// ([RecordBatchTemplate][dev.fletch.format.RecordBatchTemplate]);
/// [Verifier][dev.fletch.format.Verifier], which decides whether bytes are well-formed.
///
/// **Does not:** prefixes, blocks and magic numbers (`ipc`); what a column's buffers are, and
/// whether values make sense together (`layout`); values that live longer than their memory (`model`).
///
/// Hot: nothing is allocated after set-up, unless a method's name or page says so.
package dev.fletch.format;
