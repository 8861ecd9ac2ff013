// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;

/// The rules of how batches define dictionaries and add to them. Each check says whether to go on.
final class DictionaryCheck {
    private final Report report;
    private final DictionaryStates states;
    private final Block block = new Block();

    DictionaryCheck(Report report, DictionaryStates states) {
        this.report = report;
        this.states = states;
    }

    /// Takes note of a batch.
    ///
    /// @param number the dictionary's
    /// @param place in a file, of its block among those of dictionaries
    boolean batch(DictionaryBatch batch, int number, boolean isFile, int place) {
        final int known = states.defined[number];
        if (batch.isDelta()) {
            if (isFile) {
                states.delta[number] = Math.min(states.delta[number], place);
                return true;
            }
            final long at = batch.position(DictionaryBatch.IS_DELTA_SLOT);
            return states.isDefined(number)
                    || report.add(DELTA_WITHOUT_DICTIONARY, at, batch.id(), "isDelta");
        }
        states.defined[number] = Math.min(known, place);
        final long at = batch.position(DictionaryBatch.ID_SLOT);
        return !isFile
                || known == DictionaryStates.NEVER
                || report.add(DICTIONARY_REPLACED, at, batch.id(), "id");
    }

    /// Looks, after all blocks, for additions that are listed before what they add to.
    boolean end(Footer footer) {
        final int count = footer.dictionariesCount();
        for (int i = 0; i < states.count; i++) {
            final int place = states.delta[i];
            if (place < 0 || place >= count || place >= states.defined[i]) {
                continue;
            }
            final long at = footer.dictionaries(place, block).position();
            if (!report.add(
                    DELTA_WITHOUT_DICTIONARY, at, states.ids[i], "dictionaries", place, "")) {
                return false;
            }
        }
        return true;
    }
}
