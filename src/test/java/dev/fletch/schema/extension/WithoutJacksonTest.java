// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;

import dev.fletch.schema.Metadata;

import org.junit.jupiter.api.Test;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

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
                            ? new dev.fletch.schema.ArrowType.FixedSizeBinary(16)
                            : dev.fletch.schema.ArrowType.Simple.UTF8;
            var field =
                    dev.fletch.schema.ArrowField.of("f", storage)
                            .withMetadata(
                                    Metadata.of(
                                            ExtensionType.NAME_KEY,
                                            name,
                                            ExtensionType.METADATA_KEY,
                                            metadata));
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
    void typesWithoutJsonAreReadWithoutJackson() throws Exception {
        assertEquals("UUID", read("arrow.uuid", ""));
        assertEquals("JSON", read("arrow.json", ""));
        assertEquals("JSON", read("arrow.json", "{}"));
        assertTrue(Optional.of(read("unknown", "{")).toString().contains("Unknown"));
    }

    @Test
    void typesWithJsonNameTheMissingLibrary() {
        var thrown =
                assertThrows(
                        InvocationTargetException.class, () -> read("arrow.opaque", "{\"a\":1}"));
        var fault = assertInstanceOf(IllegalStateException.class, thrown.getCause());
        assertTold(fault);
        assertTrue(fault.getMessage().contains("metadata of arrow.opaque"), fault::getMessage);
    }

    private static void assertTold(IllegalStateException fault) {
        for (String part :
                new String[] {
                    "com.fasterxml.jackson.core:jackson-core on the class path",
                    "`requires com.fasterxml.jackson.core`",
                    "`--add-modules com.fasterxml.jackson.core`"
                }) {
            assertTrue(fault.getMessage().contains(part), fault::getMessage);
        }
    }

    /// On the module path it may be there, and yet belong to no application: nobody requires it.
    @Test
    void typesAreReadOnTheModulePathWithoutJackson() throws Exception {
        Path classes = path(ExtensionType.class);
        ModuleFinder modules = ModuleFinder.of(classes, path(JsonFactory.class));
        Configuration resolved =
                ModuleLayer.boot()
                        .configuration()
                        .resolve(modules, ModuleFinder.of(), Set.of("dev.fletch"));
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        ClassLoader loader =
                ModuleLayer.boot()
                        .defineModulesWithOneLoader(resolved, jdk)
                        .findLoader("dev.fletch");
        Method parse =
                loader.loadClass("dev.fletch.schema.SchemaJson").getMethod("parse", String.class);
        assertTrue(parse.getDeclaringClass().getModule().isNamed());
        var thrown = assertThrows(InvocationTargetException.class, () -> parse.invoke(null, "{}"));
        assertTold(assertInstanceOf(IllegalStateException.class, thrown.getCause()));
    }

    private static Path path(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
