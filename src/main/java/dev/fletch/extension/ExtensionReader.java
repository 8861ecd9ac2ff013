// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;

/// Reads one extension type of an application; see [ExtensionRegistry#with].
///
/// A reader that is registered for several threads must allow for that.
public interface ExtensionReader {
    /// {@return the name that the type is registered under; one that does not begin with `arrow.`,
    /// which are reserved for the format}
    String extensionName();

    /// Reads the type of a field, and checks that the field can store it.
    ///
    /// @param storage the field with all that it has
    /// @param metadata the parameters as text, empty if they are absent; anyone may have written it
    /// @return the type, never null
    /// @throws RuntimeException if it breaks a rule; what is no [InvalidExtensionException] becomes
    ///     the cause of one, as a [StackOverflowError] does. Other errors are nobody's metadata's
    ///     fault and end whatever is read
    ApplicationType read(ArrowField storage, String metadata);
}
