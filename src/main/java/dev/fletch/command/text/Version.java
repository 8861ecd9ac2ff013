// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import picocli.CommandLine.IVersionProvider;

/// The version in the jar's manifest.
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"fletch " + (version == null ? "(not from a jar)" : version)};
    }
}
