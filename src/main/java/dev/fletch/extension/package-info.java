// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Extension types: what a field's metadata says about the meaning of its values, checked against
/// the rules of the canonical types.
///
/// **Belongs here:** names, parameters and storage rules of the types that the Arrow format describes,
/// and a registry for others.
///
/// **Does not:** the values of such columns; any change to the schema that is looked at.
///
/// Cold: it works on the schemas of `model` and allocates. Some types have parameters in JSON, for
/// which `jackson-core` is needed; it may be absent where none of these is met.
package dev.fletch.extension;
