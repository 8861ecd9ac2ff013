// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UuidVector;
import org.apache.arrow.vector.extension.UuidType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Extension types that a program has registered with arrow-java.
@Isolated("registers a type for all threads")
class RegisteredTypesTest {
    @TempDir Path folder;

    @Test
    void registeredExtensionTypesHaveTheirVectors() throws IOException {
        ExtensionTypeRegistry.register(UuidType.INSTANCE);
        try (RootAllocator allocator = new RootAllocator()) {
            byte[] bytes = ArrowVectorFiles.named("extensions").file();
            Path file = Files.write(folder.resolve("extensions.arrow"), bytes);
            try (VectorReader vectors = VectorReader.open(file, allocator, "uuid")) {
                VectorTexts expected = VectorTexts.ofArrow(bytes).only(List.of(0));
                assertInstanceOf(UuidVector.class, vectors.root().getVector(0));
                assertEquals(expected, VectorTexts.of(vectors));
            }
        } finally {
            ExtensionTypeRegistry.unregister(UuidType.INSTANCE);
        }
    }
}
