// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.Rule.Severity;
import dev.fletch.wire.Escaper;

import java.util.Locale;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// What is wrong with an input, and where: the broken rule, its place, and the value found there.
/// Immutable. Created only for what is wrong, so checks of what is right allocate nothing.
public class Fault {
    /// The message of a fault that is in no message, or in one whose index is unknown.
    public static final int NO_MESSAGE = -1;

    /// The position of a fault that is not about a byte.
    public static final long NO_OFFSET = -1;

    private static final int NO_FIELD = -1;
    private static final int NO_INDEX = -1;

    private final Rule rule;
    private final int message;
    // Of the input; null if the fault is in a message, or the part is not known.
    private final String part;
    private final String path;
    private final long position;
    private final long value;
    // Null if the value says all.
    private final String details;
    // Null outside of columns. Paths may be long, and most faults are only counted.
    private final IntFunction<String> columns;
    private final int field;
    // Null if rule, details and column say all.
    private final Supplier<String> text;

    /// Creates a fault with the text of a subclass.
    ///
    /// @param message see [#message()]
    /// @param path see [#path()]
    protected Fault(Rule rule, int message, String path, long position, long value) {
        this(rule, message, null, path, position, value, null, null, NO_FIELD, null);
    }

    private Fault(
            Rule rule,
            int message,
            String part,
            String path,
            long position,
            long value,
            String details,
            IntFunction<String> columns,
            int field,
            Supplier<String> text) {
        this.rule = Objects.requireNonNull(rule, "rule");
        this.message = message;
        this.part = message == NO_MESSAGE ? part : null;
        this.path = path;
        this.position = position;
        this.value = value;
        this.details = details;
        this.columns = columns;
        this.field = field;
        this.text = text;
    }

    // ---- creation

    /// Creates a fault in no message, at the root of a table or in none.
    ///
    /// @param rule the broken rule
    /// @param position byte offset in the verified segment or buffer
    /// @param value the value found there
    public static Fault of(Rule rule, long position, long value) {
        return new Fault(rule, NO_MESSAGE, "", position, value);
    }

    /// {@return this fault at another path}
    public Fault at(String other) {
        return copy(message, part, other, position, explanation(), text);
    }

    /// {@return this fault at the path `name[index].tail`}
    ///
    /// @param tail may be empty
    public Fault at(String name, int index, String tail) {
        return at(name + "[" + index + "]" + (tail.isEmpty() ? "" : "." + tail));
    }

    /// {@return this fault below a part of its path}
    ///
    /// @param prefix may be empty, as may the path
    public Fault under(String prefix) {
        return prefix.isEmpty() ? this : at(path.isEmpty() ? prefix : prefix + "." + path);
    }

    /// {@return this fault with another text in place of the value}
    ///
    /// @param text values as `name=value`; may be empty
    public Fault because(String text) {
        return copy(message, part, path, position, text, null);
    }

    /// {@return this fault with one more number in place of the value}
    public Fault with(String name, long number) {
        String before = explanation();
        return because((before == null ? "" : before + ", ") + name + "=" + number);
    }

    /// {@return this fault in a column}
    ///
    /// @param names give the [#column()] of a field whenever it is asked for
    /// @param number see [#field()]
    public Fault inColumn(IntFunction<String> names, int number) {
        return new Fault(
                rule, message, part, path, position, value, explanation(), names, number, text);
    }

    /// {@return this fault in a message of an input}
    ///
    /// @param index of the message; [#NO_MESSAGE] if in none
    /// @param offset in the input
    public Fault in(int index, long offset) {
        return copy(index, part, path, offset, explanation(), text);
    }

    /// {@return this fault at the same offset in a message of an input}
    ///
    /// @param index of the message; [#NO_MESSAGE] if in none
    public Fault inMessage(int index) {
        return in(index, position);
    }

    /// {@return this fault in no message, but in another part of an input, which [#line] names}
    ///
    /// @param name such as `footer`; null if it is not known
    public Fault inPart(String name) {
        return copy(NO_MESSAGE, name, path, position, explanation(), text);
    }

    /// {@return this fault at another offset}
    public Fault in(long offset) {
        return in(message, offset);
    }

    /// {@return this fault with more text at the end}
    public Fault followedBy(String more) {
        return more.isEmpty() ? this : withText(text() + more);
    }

    /// {@return this fault, followed by another}
    public Fault and(Fault other) {
        return followedBy("; " + other.placed());
    }

    /// {@return this fault with another rule, and the same text}
    public Fault under(Rule other) {
        return new Fault(
                other,
                message,
                part,
                path,
                position,
                value,
                explanation(),
                columns(),
                field(),
                this::text);
    }

    /// {@return this fault with another [#text], such as one that also says what follows from it}
    public Fault withText(String other) {
        return withText(() -> other);
    }

    /// {@return this fault with another [#text], which is made whenever it is asked for}
    public Fault withText(Supplier<String> other) {
        return copy(message, part, path, position, explanation(), other);
    }

    private Fault copy(
            int index, String of, String at, long offset, String because, Supplier<String> words) {
        return new Fault(rule, index, of, at, offset, value, because, columns(), field(), words);
    }

    private IntFunction<String> columns() {
        String name = columns == null ? column() : null; // that of a subclass
        return name == null ? columns : _ -> name;
    }

    // ---- content

    /// {@return the broken rule}
    public final Rule rule() {
        return rule;
    }

    /// {@return index of the message in the input, from 0; [#NO_MESSAGE] if the fault is in no
    /// message, as in a footer, or the caller chose the message: a single flatbuffer, or the batch
    /// of a block}
    public final int message() {
        return message;
    }

    /// {@return the path of the faulty field, such as
    /// `header.schema.fields[2].children[0].type.timezone`: accessor names from the root down. If a
    /// table itself is faulty, the path ends with the field that refers to it. Empty for the root
    /// table, and outside of tables}
    public final String path() {
        return path;
    }

    /// {@return byte offset of the fault, [#NO_OFFSET] if it is not about a byte: in the input; for
    /// a single flatbuffer in the verified segment or buffer. For an absent value: the offset of
    /// its table. For bytes of the body: the offset of the buffer's entry in the metadata}
    public final long position() {
        return position;
    }

    /// {@return the value found there; the rule's constant documents its meaning and unit}
    public final long value() {
        return value;
    }

    /// {@return [#value()] as text, `value=7`, or several numbers where one does not explain the
    /// fault, such as `uncompressed=739, needed=80000`; may be empty}
    public final String details() {
        String text = explanation();
        return text == null ? "value=" + value : text;
    }

    /// {@return the text in place of the value; null if the value says all}
    protected String explanation() {
        return details;
    }

    /// {@return field names from the column down to the field of the faulty node, buffer or value,
    /// joined by dots; of more than 500 characters, the end; null if the fault is not in a record
    /// batch whose schema is known}
    public String column() {
        return columns == null ? null : columns.apply(field);
    }

    /// {@return number in its layout of the field of the faulty node, buffer or value; -1 if there
    /// is no [#column]}
    public int field() {
        return field;
    }

    // ---- text

    /// {@return the rule in words, and what breaks it, such as `a string has no terminating zero:
    /// value=7, column=price`}
    public final String text() {
        if (text != null) {
            return text.get();
        }
        String values = values();
        return rule.description() + (values.isEmpty() ? "" : ": " + values);
    }

    /// {@return one line of an exception or a command that reads an input: the message and the
    /// offset as far as they are known, then [#text]}
    public final String placed() {
        return placed(message, position, text());
    }

    /// {@return [#placed()] for a fault of which only these parts are kept}
    ///
    /// @param message see [#message()]
    /// @param position see [#position()]
    /// @param text see [#text()]
    public static String placed(int message, long position, String text) {
        return prefix(message) + (position == NO_OFFSET ? "" : "offset " + position + ": ") + text;
    }

    /// {@return one line for people: severity, message or other part, and place, then [#text]}
    public final String line() {
        String prefix = rule.severity() == Severity.ERROR ? "" : severity() + ": ";
        String of = part == null ? prefix(message) : part + ": ";
        return prefix + of + what();
    }

    private static String prefix(int message) {
        return message == NO_MESSAGE ? "" : "message " + message + ": ";
    }

    /// {@return the line without severity and message}
    public final String what() {
        return rule.level() + ": " + place() + ": " + text();
    }

    /// {@return a JSON object on one line, with all parts of the fault; active characters are
    /// escaped. Such as
    /// `{"level":"frame","severity":"error","code":"truncated-prefix","message":3,"path":null,…}`}
    public final String toJson() {
        return "{\"level\":"
                + Escaper.quoted(rule.level())
                + ",\"severity\":"
                + Escaper.quoted(severity())
                + ",\"code\":"
                + Escaper.quoted(rule.id())
                + ",\"message\":"
                + (message == NO_MESSAGE ? "null" : message)
                + ",\"path\":"
                + (path.isEmpty() ? "null" : Escaper.quoted(path))
                + ",\"offset\":"
                + position
                + ",\"text\":"
                + Escaper.quoted(text())
                + "}";
    }

    /// {@return the faulty part and what is wrong with it, such as `buffer=3, offset=64, body=32`
    /// or `endianness=2`; for errors that say the rule and the column}
    public final String found() {
        String leaf = path.substring(path.lastIndexOf('.') + 1);
        int index = index();
        String name = leaf.endsWith("]") ? leaf.substring(0, leaf.indexOf('[')) : leaf;
        String text = explanation();
        String values = text == null ? name + "=" + value : text;
        if (index == NO_INDEX) {
            return values;
        }
        int end = path.lastIndexOf('[');
        String elements = path.substring(path.lastIndexOf('.', end) + 1, end);
        // An element of "buffers" is a buffer.
        int letters = elements.length() - (elements.endsWith("s") ? 1 : 0);
        return elements.substring(0, letters) + "=" + index + ", " + values;
    }

    /// {@return index of the faulty element in the last vector of the path; -1 if there is no
    /// vector}
    public final int index() {
        int from = path.lastIndexOf('[') + 1;
        int to = path.indexOf(']', from);
        return from == 0 ? NO_INDEX : Integer.parseInt(path, from, to, 10);
    }

    private String severity() {
        return rule.severity().name().toLowerCase(Locale.ROOT);
    }

    private String place() {
        return rule.id() + ": offset=" + position + (path.isEmpty() ? "" : ", path=" + path);
    }

    /// {@return details and column, such as `value=7, column=price`; may be empty}
    public final String values() {
        String name = column();
        return name == null ? details() : details() + ", column=" + Escaper.name(name);
    }

    /// {@return an exception with this fault, whose message is [#toString]}
    public final FletchException exception() {
        return new FletchException(this, toString(), null);
    }

    /// {@return whether another fault has the same rule, place and text}
    @Override
    public final boolean equals(Object other) {
        return other instanceof Fault that
                && rule.equals(that.rule)
                && message == that.message
                && Objects.equals(part, that.part)
                && path.equals(that.path)
                && position == that.position
                && value == that.value
                && values().equals(that.values())
                && text().equals(that.text());
    }

    @Override
    public final int hashCode() {
        return Objects.hash(rule, message, part, path, position, value);
    }

    /// {@return one line such as `string-unterminated: offset=148,
    /// path=header.schema.fields[0].name, value=7`, with the column at the end where there is one;
    /// its form is stable}
    @Override
    public final String toString() {
        return place() + ", " + values();
    }
}
