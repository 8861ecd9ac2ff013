// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import dev.fletch.fbs.FbsSyntax.Decl;
import dev.fletch.fbs.FbsSyntax.FileSyntax;
import dev.fletch.fbs.FbsSyntax.Named;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads `.fbs` files, follows their includes, and merges all of it into one [FbsDocument].
///
/// Understood: `include`, `namespace`, `enum`, `union`, `struct`, `table`, `root_type`, and of the
/// attributes `required`. Anything else is refused with an [FbsException] that names file and line.
public final class FbsParser {
    /// The files that the project's `format` folder consists of.
    public static final List<String> ARROW_FILES =
            List.of("Schema.fbs", "Message.fbs", "File.fbs", "Tensor.fbs", "SparseTensor.fbs");

    private final Set<Path> seen = new HashSet<>();
    private final List<Decl> decls = new ArrayList<>();
    private final List<Named> roots = new ArrayList<>();
    private String namespace;

    private FbsParser() {}

    /// Returns what the project's own five files declare.
    public static FbsDocument parseArrowFormat() {
        return parse(ARROW_FILES.stream().map(FbsParser::arrowFile).toArray(Path[]::new));
    }

    /// Returns the path of one of the project's own files, such as `Schema.fbs`. Tests run in the
    /// project's folder; Maven says where that is when they do not.
    public static Path arrowFile(String name) {
        return Path.of(System.getProperty("basedir", ""), "format", name).toAbsolutePath();
    }

    /// Returns what these files and those that they include declare; each file is read once.
    ///
    /// @throws UncheckedIOException when one of `files` cannot be read
    public static FbsDocument parse(Path... files) {
        FbsParser parser = new FbsParser();
        for (Path file : files) {
            parser.load(file.toAbsolutePath().normalize());
        }
        return parser.document();
    }

    /// Returns what a text without includes declares; `name` stands for it in errors.
    public static FbsDocument parseText(String name, String text) {
        FbsParser parser = new FbsParser();
        FileSyntax file = FbsGrammar.parse(name, text);
        for (Named include : file.includes()) {
            throw include.at().error("a text cannot include " + include.name());
        }
        parser.add(file);
        return parser.document();
    }

    private FbsDocument document() {
        return FbsResolver.resolve(namespace == null ? "" : namespace, decls, roots);
    }

    private void load(Path path) {
        if (!seen.add(path)) {
            return;
        }
        FileSyntax file = FbsGrammar.parse(path.getFileName().toString(), readText(path));
        for (Named include : file.includes()) {
            Path included = path.resolveSibling(include.name()).normalize();
            if (!Files.isRegularFile(included)) {
                throw include.at().error("included file not found: " + include.name());
            }
            load(included);
        }
        add(file);
    }

    private void add(FileSyntax file) {
        for (Named each : file.namespaces()) {
            if (namespace != null && !namespace.equals(each.name())) {
                throw each.at().error("second namespace " + each.name() + " after " + namespace);
            }
            namespace = each.name();
        }
        decls.addAll(file.decls());
        roots.addAll(file.roots());
    }

    private static String readText(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
