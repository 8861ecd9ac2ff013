// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.format.Date;
import dev.fletch.format.Decimal;
import dev.fletch.format.Duration;
import dev.fletch.format.FixedSizeBinary;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.FloatingPoint;
import dev.fletch.format.Int;
import dev.fletch.format.Interval;
import dev.fletch.format.Map;
import dev.fletch.format.Time;
import dev.fletch.format.Timestamp;
import dev.fletch.format.Union;

/// One flyweight for each type that has parameters, to be bound as often as wanted.
public final class TypeTables {
    final Int integer = new Int();
    final FloatingPoint floatingPoint = new FloatingPoint();
    final Decimal decimal = new Decimal();
    final Date date = new Date();
    final Time time = new Time();
    final Timestamp timestamp = new Timestamp();
    final Interval interval = new Interval();
    final Duration duration = new Duration();
    final FixedSizeBinary fixedSizeBinary = new FixedSizeBinary();
    final FixedSizeList fixedSizeList = new FixedSizeList();
    final Map map = new Map();
    final Union union = new Union();
}
