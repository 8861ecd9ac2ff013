// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/// `jackson-core` is optional: where it is missing, a message says what to do.
class WithoutJacksonTest {
    /// Loaded without `jackson-core`, and called by reflection.
    public static final class Caller {
        private Caller() {}

        /// Reads a schema.
        public static Object parse() {
            return SchemaJson.parse("{\"fields\":[]}");
        }

        /// Writes a schema.
        public static Object text() {
            return SchemaJson.text(ArrowSchema.of());
        }
    }

    private static void assertTold(String call) throws Exception {
        URL[] classes = {
            SchemaJson.class.getProtectionDomain().getCodeSource().getLocation(),
            Caller.class.getProtectionDomain().getCodeSource().getLocation()
        };
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classes, jdk)) {
            Method method = loader.loadClass(Caller.class.getName()).getMethod(call);
            for (int i = 0; i < 2; i++) { // the second time the JVM tells otherwise
                var thrown =
                        assertThrows(InvocationTargetException.class, () -> method.invoke(null));
                var fault = assertInstanceOf(IllegalStateException.class, thrown.getCause());
                assertTrue(fault.getMessage().contains("jackson-core"), fault::getMessage);
            }
        }
    }

    @Test
    void readingNamesTheMissingLibrary() throws Exception {
        assertTold("parse");
    }

    @Test
    void writingNamesTheMissingLibrary() throws Exception {
        assertTold("text");
    }
}
