// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// A schema as immutable values, for code that is not hot: to configure, to print, to compare.
///
/// Everything is checked when it is made; what breaks a rule of the format is an
/// [dev.fletch.model.InvalidSchemaException] that names field and value.
///
/// Two kinds of equality. `equals` is exact: it tells apart what the bytes tell apart, such as an
/// empty vector from an absent one. `sameMeaning` and
/// [diff][dev.fletch.model.ArrowSchema#diff] compare what a reader of the columns gets to know.
///
/// **Belongs here:** values that outlive the memory they were read from, and the way back into
/// metadata. **Does not:** anything per batch, and whatever a hot loop would call.
package dev.fletch.model;
