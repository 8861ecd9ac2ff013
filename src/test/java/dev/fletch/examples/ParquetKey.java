// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.schema.ArrowSchema;

import java.util.Map;

/// Reads the Arrow schema in a Parquet file's key-value metadata, and writes it again.
public class ParquetKey {
    public static Map<String, String> annotated(Map<String, String> keyValueMetadata) {
        var schema = ArrowSchema.ofParquet(keyValueMetadata.get(ArrowSchema.PARQUET_KEY));
        System.out.println(schema);
        var more = schema.metadata().with("checked", "yes"); // keeps what is there
        return Map.of(ArrowSchema.PARQUET_KEY, schema.withMetadata(more).toParquet());
    }
}
