// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.vector.FieldVector;

import java.time.DateTimeException;

/// Reads all values of arrow-java's vectors.
public final class AllValues {
    private AllValues() {}

    /// Reads each value. A date may be one that Java has no object for.
    public static void read(FieldVector vector) {
        for (int i = 0; i < vector.getValueCount(); i++) {
            try {
                vector.getObject(i);
            } catch (DateTimeException | ArithmeticException _) {
                // read all the same
            }
        }
        vector.getNullCount();
        vector.getChildrenFromFields().forEach(AllValues::read);
    }
}
