// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Stream;

/// The inputs of a command line, in their order. A folder is replaced by its files, at any depth,
/// sorted by path.
///
/// Symbolic links are followed. Below one argument, each folder is entered once, so loops end. If
/// folders are replaced, each file is an input once, by the first of its paths; else each argument
/// is an input.
public final class InputFiles implements Iterator<InputFile> {
    /// A file or folder in a folder.
    ///
    /// @param key the sort key: the name, with a slash after a folder's name
    private record Entry(String key, Path path) {
        boolean isFolder() {
            return key.endsWith("/");
        }
    }

    private final Iterator<String> names;
    private final boolean entersFolders;
    private final List<String> suffixes;
    private final int count;
    // What is left of the argument's folder, the next entry first.
    private final Deque<Entry> left = new ArrayDeque<>();
    private final Set<Object> entered = new HashSet<>();
    // Real paths of the regular files so far.
    private final Set<Path> taken = new HashSet<>();
    // The argument, and whether no input was found in it.
    private Path folder;
    private boolean isEmpty;
    // The next input; null if it must be found first.
    private InputFile next;

    /// @param entersFolders whether a folder is replaced by its files
    /// @param moreSuffixes suffixes of files to take from folders, besides [FileSuffixes#ALL]
    public InputFiles(List<String> names, boolean entersFolders, List<String> moreSuffixes) {
        this.names = names.iterator();
        this.suffixes = Stream.concat(FileSuffixes.ALL.stream(), moreSuffixes.stream()).toList();
        this.count = entersFolders ? 0 : names.size();
        this.entersFolders = entersFolders;
    }

    /// Number of inputs; 0 if unknown.
    public int count() {
        return count;
    }

    @Override
    public boolean hasNext() {
        while (next == null && (!left.isEmpty() || names.hasNext())) {
            if (left.isEmpty()) {
                takeName(names.next());
            } else {
                takeEntry(left.pop());
            }
        }
        return next != null;
    }

    @Override
    public InputFile next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        InputFile file = next;
        next = null;
        return file;
    }

    private void takeName(String name) {
        Path path = path(name);
        if (entersFolders && path != null && Files.isDirectory(path)) {
            entered.clear();
            isEmpty = true;
            folder = path;
            left.push(new Entry("/", path));
            return;
        }
        boolean isFile = path != null && !name.equals(InputBytes.STANDARD_INPUT);
        if (!entersFolders || !isFile || Links.isLink(name) || isNew(path)) {
            next = new InputFile(name, null, null);
        }
    }

    /// The path of an argument; null if it is none: opening it reports the error.
    private static Path path(String name) {
        try {
            return name.isEmpty() ? null : FileName.path(name);
        } catch (InvalidPathException _) {
            return null;
        }
    }

    /// Whether a path does not lead to a regular file that was taken before. Hard links are files
    /// of their own.
    private boolean isNew(Path file) {
        try {
            return !Files.isRegularFile(file) || taken.add(file.toRealPath());
        } catch (IOException _) {
            return true; // opening it reports the error
        }
    }

    private void takeEntry(Entry entry) {
        if (entry.isFolder()) {
            enter(entry.path);
        } else if (isNew(entry.path)) {
            take(entry.path, null);
        } else {
            isEmpty = false;
        }
        if (left.isEmpty() && isEmpty) {
            String all = String.join(", ", suffixes);
            take(folder, new IOException("folder has no files that end in " + all));
        }
    }

    private void enter(Path path) {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            if (entered.add(key == null ? path.toRealPath() : key)) {
                entries(path).reversed().forEach(left::push);
            }
        } catch (IOException e) {
            take(path, e);
        }
    }

    private void take(Path path, IOException failure) {
        isEmpty = false;
        next = new InputFile(path.toString(), path, failure);
    }

    private List<Entry> entries(Path in) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(in)) {
            for (Path each : all) {
                String name = each.getFileName().toString();
                if (name.startsWith(".")) {
                    continue;
                }
                boolean isNamedSo = FileSuffixes.hasOneOf(suffixes, each);
                boolean isTaken;
                boolean isFolder = false;
                try {
                    var attributes = Files.readAttributes(each, BasicFileAttributes.class);
                    isFolder = attributes.isDirectory();
                    isTaken = isFolder || isNamedSo && attributes.isRegularFile();
                } catch (AccessDeniedException _) {
                    isTaken = true; // opening it reports the error
                } catch (IOException _) {
                    isTaken = isNamedSo; // such as a dangling symbolic link
                }
                if (isTaken) {
                    entries.add(new Entry(isFolder ? name + "/" : name, each));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparing(Entry::key));
        return entries;
    }
}
