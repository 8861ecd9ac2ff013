// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Limits;
import dev.fletch.flatbuf.VerifierOptions;

import java.util.Objects;

/// How [EncapsulatedMessage], [MessageReader], [MessageDecoder], [ArrowFile] and [FileIndex] check
/// metadata when they open a footer or message.
///
/// Immutable; threads may share it.
///
/// @param verification the extent of verification
/// @param verifierOptions rules of the verifier, and the limits of the reader
/// @param refusesForeignEndianness whether to reject schemas that declare big-endian bodies, in
///     footers and in schema messages (Schema.fbs, `endianness`)
/// @param knownSchemas verified schemas that readers share and need not verify again; null for
///     none. Accepts and rejects the same inputs
public record ReadOptions(
        Verification verification,
        VerifierOptions verifierOptions,
        boolean refusesForeignEndianness,
        KnownSchemas knownSchemas) {

    /// Verifies all metadata by the rules of Arrow C++, within [Limits#DEFAULT], and accepts both
    /// byte orders.
    public static final ReadOptions DEFAULT =
            new ReadOptions(Verification.FULL, VerifierOptions.DEFAULT, false, null);

    /// Creates options.
    ///
    /// @throws NullPointerException if `verification` or `verifierOptions` is null
    public ReadOptions {
        Objects.requireNonNull(verification, "verification");
        Objects.requireNonNull(verifierOptions, "verifierOptions");
    }

    /// {@return the limits of [#verifierOptions]}
    public Limits limits() {
        return verifierOptions.limits();
    }

    /// {@return a copy with other [#limits]}
    public ReadOptions withLimits(Limits other) {
        VerifierOptions limited = verifierOptions.withLimits(other);
        return new ReadOptions(verification, limited, refusesForeignEndianness, knownSchemas);
    }

    /// {@return a copy with another [#verification]}
    public ReadOptions withVerification(Verification how) {
        return new ReadOptions(how, verifierOptions, refusesForeignEndianness, knownSchemas);
    }

    /// {@return a copy with other [#verifierOptions]} Options with [Limits#DEFAULT] keep the limits
    /// that were set before.
    public ReadOptions withVerifierOptions(VerifierOptions rules) {
        boolean keepsLimits =
                rules.limits().equals(Limits.DEFAULT) && !limits().equals(Limits.DEFAULT);
        VerifierOptions merged = keepsLimits ? rules.withLimits(limits()) : rules;
        return new ReadOptions(verification, merged, refusesForeignEndianness, knownSchemas);
    }

    /// {@return a copy with another [#refusesForeignEndianness]}
    public ReadOptions withRefusesForeignEndianness(boolean refuse) {
        return new ReadOptions(verification, verifierOptions, refuse, knownSchemas);
    }

    /// {@return a copy with other [#knownSchemas]}
    public ReadOptions withKnownSchemas(KnownSchemas known) {
        return new ReadOptions(verification, verifierOptions, refusesForeignEndianness, known);
    }
}
