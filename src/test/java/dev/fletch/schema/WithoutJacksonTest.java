// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;

import dev.fletch.schema.extension.ExtensionType;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/// `jackson-core` is optional: where it is missing, types without JSON are read, and for all else a
/// message says what to do.
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

        /// Reads the extension type of a field in bytes.
        public static String read(String name, String metadata) {
            ArrowType storage =
                    name.equals("arrow.uuid")
                            ? new ArrowType.FixedSizeBinary(16)
                            : ArrowType.Simple.UTF8;
            ArrowField field =
                    ArrowField.of("f", storage)
                            .withMetadata(
                                    Metadata.of(
                                            ExtensionType.NAME_KEY,
                                            name,
                                            ExtensionType.METADATA_KEY,
                                            metadata));
            return ExtensionType.of(field).map(Object::toString).orElseThrow();
        }
    }

    @AutoClose
    private final URLClassLoader loader =
            new URLClassLoader(
                    new URL[] {location(SchemaJson.class), location(Caller.class)},
                    ClassLoader.getPlatformClassLoader());

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /// Calls a method of [Caller].
    private Object call(String name, Object... texts) throws Exception {
        Class<?>[] types = new Class<?>[texts.length];
        Arrays.fill(types, String.class);
        Class<?> caller = loader.loadClass(Caller.class.getName());
        return caller.getMethod(name, types).invoke(null, texts);
    }

    private static String assertTold(Executable call) {
        var thrown = assertThrows(InvocationTargetException.class, call);
        var fault = assertInstanceOf(IllegalStateException.class, thrown.getCause());
        for (String part :
                new String[] {
                    "com.fasterxml.jackson.core:jackson-core on the class path",
                    "`requires com.fasterxml.jackson.core`",
                    "`--add-modules com.fasterxml.jackson.core`"
                }) {
            assertTrue(fault.getMessage().contains(part), fault::getMessage);
        }
        return fault.getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parse", "text"})
    void schemasInJsonNameTheMissingLibrary(String call) {
        assertTold(() -> call(call));
        assertTold(() -> call(call)); // the second time the JVM tells otherwise
    }

    @Test
    void typesWithoutJsonAreReadWithoutJackson() throws Exception {
        assertEquals("UUID", call("read", "arrow.uuid", ""));
        assertEquals("JSON", call("read", "arrow.json", ""));
        assertEquals("JSON", call("read", "arrow.json", "{}"));
        assertTrue(call("read", "unknown", "{").toString().contains("Unknown"));
    }

    @Test
    void typesWithJsonNameTheMissingLibrary() {
        String message = assertTold(() -> call("read", "arrow.opaque", "{\"a\":1}"));
        assertTrue(message.contains("metadata of arrow.opaque"), message);
    }

    /// On the module path it may be there, and yet belong to no application: nobody requires it.
    @Test
    void typesAreReadOnTheModulePathWithoutJackson() throws Exception {
        ModuleFinder modules = ModuleFinder.of(path(SchemaJson.class), path(JsonFactory.class));
        Configuration resolved =
                ModuleLayer.boot()
                        .configuration()
                        .resolve(modules, ModuleFinder.of(), Set.of("dev.fletch"));
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        ClassLoader ofModule =
                ModuleLayer.boot()
                        .defineModulesWithOneLoader(resolved, jdk)
                        .findLoader("dev.fletch");
        Method parse =
                ofModule.loadClass("dev.fletch.schema.SchemaJson").getMethod("parse", String.class);
        assertTrue(parse.getDeclaringClass().getModule().isNamed());
        assertTold(() -> parse.invoke(null, "{}"));
    }

    private static Path path(Class<?> type) throws Exception {
        return Path.of(location(type).toURI());
    }
}
