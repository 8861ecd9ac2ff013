// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.internal.DeclaredTables;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// A flyweight over any table, by its declaration: for code that visits all fields of a table or
/// all parameters of a type. An accessor reads the bytes when called, and allocates only strings.
/// Errors, lifetime and threads: see [Table].
public final class AnyTable extends Table implements TypeParameters {
    private TableDeclaration declaration;
    private long sizes;
    // Whether there is a table to read; if not, all fields are absent.
    private boolean isBound;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, sizes);
    }

    // ---- binding

    /// Binds to the table that another flyweight is bound to.
    ///
    /// @param name the table's name in `format/*.fbs`
    public AnyTable bind(Table table, String name) {
        return bind(table, ArrowRules.SET.table(ArrowRules.SET.kind(name)));
    }

    /// Binds to the table that another flyweight is bound to.
    public AnyTable bind(Table table, TableDeclaration of) {
        setDeclaration(of);
        showSame(table);
        isBound = true;
        return this;
    }

    /// Makes all fields absent.
    public void unbind() {
        isBound = false;
    }

    /// Binds to the parameters of a type, of a field or tensor.
    ///
    /// @param type its number, one of [dev.fletch.format.ids.Type]
    /// @param slot of the type
    /// @return false if they are absent, or the type is unknown; all parameters are then absent
    public boolean bindType(Table owner, int type, int slot) {
        TypeFacts facts = TypeFacts.of(type);
        setDeclaration(facts.table());
        isBound = false;
        if (!facts.isKnown() || !owner.isPresent(slot)) {
            return false;
        }
        isBound = !declaration.fields().isEmpty() && bindField(this, owner, slot);
        return true;
    }

    /// Binds another flyweight to the table that a field refers to.
    ///
    /// @param slot of a table or a union
    /// @param into bound to the table
    /// @return false if the table is absent, or of an unknown type; `into` is then unchanged
    public boolean table(int slot, AnyTable into) {
        FieldDeclaration field = declaration.fields().get(slot);
        long member = field.tagSlot() < 0 ? 1 : number(field.tagSlot());
        if (!isPresent(slot) || member < 1 || member > field.targets().size()) {
            return false;
        }
        into.setDeclaration(target(field, (int) member - 1));
        // An empty table has nothing to decode.
        into.isBound = !into.declaration.fields().isEmpty() && bindField(into, this, slot);
        return true;
    }

    /// Binds another flyweight to an element of a vector of tables.
    ///
    /// @param slot of the vector
    /// @param index from 0 to [#count] - 1
    /// @param into bound to the table
    /// @throws IndexOutOfBoundsException if there is no such element
    public void table(int slot, int index, AnyTable into) {
        into.setDeclaration(target(declaration.fields().get(slot), 0));
        long vector = target(array(), segment(), slot);
        bind(into, this, element(vector, index, count(slot)));
        into.isBound = true;
    }

    private static TableDeclaration target(FieldDeclaration field, int member) {
        DeclaredTables set = ArrowRules.SET;
        return set.table(set.kind(field.targets().get(member)));
    }

    private void setDeclaration(TableDeclaration table) {
        if (declaration != table) {
            declaration = table;
            sizes = table.sizes();
        }
    }

    // ---- reading

    /// {@return the declaration of the table that this is bound to}
    public TableDeclaration declaration() {
        return declaration;
    }

    /// {@return whether there is a table, and it stores a field}
    public boolean has(int slot) {
        return isBound && isPresent(slot);
    }

    @Override
    public long number(int slot) {
        FieldDeclaration field = declaration.fields().get(slot);
        if (!has(slot)) {
            return field.absent();
        }
        byte[] a = array();
        MemorySegment s = segment();
        return switch (field.bytes()) {
            case Byte.BYTES -> int8(a, s, slot, 0) & (field.type().isSigned() ? -1 : 0xFF);
            case Short.BYTES -> int16(a, s, slot, 0);
            case Integer.BYTES -> int32(a, s, slot, 0);
            default -> int64(a, s, slot, 0);
        };
    }

    /// {@return length of a string in bytes, or number of elements of a vector; 0 if absent}
    @Override
    public int count(int slot) {
        if (!isBound) {
            return 0;
        }
        byte[] a = array();
        MemorySegment s = segment();
        return count(a, s, target(a, s, slot), declaration.fields().get(slot).bytes());
    }

    @Override
    public long element(int slot, int index) {
        long vector = target(array(), segment(), slot);
        return declaration.fields().get(slot).bytes() == Long.BYTES
                ? int64Element(vector, index, count(slot))
                : int32Element(vector, index, count(slot));
    }

    /// Copies all elements of a vector of 64-bit numbers, or of structs of these.
    public void copy(int slot, long[] into) {
        int longs = declaration.fields().get(slot).bytes() / Long.BYTES;
        copyLongs(target(array(), segment(), slot), count(slot), longs, into, 0);
    }

    /// {@return a number of a present struct of 64-bit numbers}
    public long structNumber(int slot, int index) {
        live();
        return Wire.int64(array(), segment(), field(slot) + (long) index * Long.BYTES);
    }

    @Override
    public String string(int slot) {
        return isBound ? string(target(array(), segment(), slot), count(slot)) : null;
    }

    /// Binds a slice to a string.
    ///
    /// @param slot of the string
    /// @param into bound to the string's bytes
    /// @return false if the string is absent; `into` is then unchanged
    public boolean string(int slot, Utf8Slice into) {
        return isBound && slice(target(array(), segment(), slot), count(slot), into);
    }
}
