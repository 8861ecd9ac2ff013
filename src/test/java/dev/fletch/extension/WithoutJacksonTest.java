// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Optional;

/// `jackson-core` is optional: where it is missing, types without JSON are read, and for the others
/// a message says what to do.
class WithoutJacksonTest {
    /// Loaded without `jackson-core`, and called by reflection.
    public static final class Reader {
        private Reader() {}

        /// Reads the extension type of a field in bytes.
        public static String read(String name, String metadata) {
            var storage =
                    name.equals("arrow.uuid")
                            ? new dev.fletch.model.ArrowType.FixedSizeBinary(16)
                            : new dev.fletch.model.ArrowType.Utf8();
            var field =
                    dev.fletch.model.ArrowField.of("f", storage)
                            .withMetadata(
                                    ExtensionType.NAME_KEY,
                                    name,
                                    ExtensionType.METADATA_KEY,
                                    metadata);
            return ExtensionType.of(field).map(Object::toString).orElseThrow();
        }
    }

    private static Object read(String name, String metadata) throws Exception {
        URL[] classes = {
            ExtensionType.class.getProtectionDomain().getCodeSource().getLocation(),
            Reader.class.getProtectionDomain().getCodeSource().getLocation()
        };
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classes, jdk)) {
            Class<?> reader = loader.loadClass(Reader.class.getName());
            Method read = reader.getMethod("read", String.class, String.class);
            return read.invoke(null, name, metadata);
        }
    }

    @Test
    void typesWithoutJson() throws Exception {
        assertEquals("Uuid[]", read("arrow.uuid", ""));
        assertEquals("Json[]", read("arrow.json", ""));
        assertEquals("Json[]", read("arrow.json", "{}"));
        assertTrue(Optional.of(read("unknown", "{")).toString().contains("Unknown"));
    }

    @Test
    void typesWithJson() {
        var thrown =
                assertThrows(
                        InvocationTargetException.class, () -> read("arrow.opaque", "{\"a\":1}"));
        var fault = assertInstanceOf(IllegalStateException.class, thrown.getCause());
        assertTrue(fault.getMessage().contains("jackson-core"), fault::getMessage);
        assertTrue(fault.getMessage().endsWith("extension=arrow.opaque"), fault::getMessage);
    }
}
