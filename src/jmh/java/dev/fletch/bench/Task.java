// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// What is measured, whatever its size: Fletch's way to do it and its peers'.
///
/// @param name for the command line
/// @param title for the table
/// @param benchmark class with the benchmark methods
/// @param sizeParameter name of its parameter that is the size
/// @param unit what the size counts
/// @param memories kinds of memory that it is measured in; none if it has one of its own
/// @param fletch the method that is Fletch
/// @param generated the methods that are flatc's generated classes; the fastest counts
/// @param arrow the method that is arrow-vector, null if it does not do the same
/// @param cpp the same in C++, null if it is not compared with
/// @param allocates whether Fletch may allocate
record Task(
        String name,
        String title,
        Class<?> benchmark,
        String sizeParameter,
        String unit,
        List<String> memories,
        String fletch,
        List<String> generated,
        String arrow,
        CppTask cpp,
        boolean allocates) {

    private static final List<String> HEAP_AND_DIRECT = List.of("heap", "direct");
    private static final List<String> ITS_OWN = List.of();

    /// A task of columns in heap and direct memory, without garbage.
    static Task ofColumns(
            String name,
            String title,
            Class<?> benchmark,
            String fletch,
            List<String> generated,
            CppTask cpp) {
        return new Task(
                name,
                title,
                benchmark,
                "columns",
                "columns",
                HEAP_AND_DIRECT,
                fletch,
                generated,
                null,
                cpp,
                false);
    }

    /// Steps through a mapped stream.
    static Task ofStream(String name, String title, String fletch, CppTask cpp) {
        return new Task(
                name,
                title,
                StreamStep.class,
                "messages",
                "messages",
                ITS_OWN,
                fletch,
                List.of("generated", "generatedFresh"),
                null,
                cpp,
                false);
    }

    /// Opens a file.
    static Task ofFile(String name, String title, Class<?> benchmark) {
        return new Task(
                name,
                title,
                benchmark,
                "columns",
                "columns",
                ITS_OWN,
                "fletch",
                List.of("generated", "generatedFresh"),
                "arrow",
                null,
                true);
    }

    /// The same beside arrow-vector too.
    Task beside(String method) {
        return new Task(
                name,
                title,
                benchmark,
                sizeParameter,
                unit,
                memories,
                fletch,
                generated,
                method,
                cpp,
                allocates);
    }
}
