// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

/// An extension type of an application, which reads it by an [ExtensionReader] of its own.
public non-sealed interface ApplicationType extends ExtensionType {}
