// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.differential.CraftedBuffers;
import dev.fletch.differential.Mutants;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Any bytes whatever are taken apart, each byte with one owner, and no fault of a verifier's is
/// lost. What holds for all of them, [Annotated] checks.
@Timeout(300)
@Order(1) // takes long
class AnnotateAnyBytesTest {
    private static final long SEED = 20_260_101;

    /// Of nested tables. A walk by recursion needs far fewer to overflow the stack.
    private static final int LEVELS = CaseCount.of(3_000, 20_000);

    private static final int MUTANTS = CaseCount.of(80, 6_000);

    @Test
    void everyGoldenIsTakenApartWithoutAFault() {
        long regions = 0;
        for (Path golden : Goldens.all()) {
            Annotated all = Annotated.of(Goldens.read(golden));
            assertEquals(List.of(), all.codes(), golden::toString);
            String expected = Goldens.isFile(golden) ? "file" : "stream";
            assertEquals(expected, all.input.form().id(), golden::toString);
            // Of a sound flatbuffer each byte is something.
            assertEquals(0, unreferenced(all), golden::toString);
            regions += all.regions.size();
        }
        System.out.printf("annotate: %d regions of %d goldens%n", regions, Goldens.all().size());
    }

    /// Bytes inside flatbuffers that nothing leads to.
    private static long unreferenced(Annotated all) {
        return all.regions.stream()
                .filter(each -> each.part().bufferAt() != Region.NOWHERE)
                .filter(each -> each.region().kind() == RegionKind.UNREFERENCED)
                .count();
    }

    /// Each word that holds a flatbuffer together is a region of its kind, where the declarations
    /// alone say that it is.
    @ParameterizedTest
    @MethodSource("dev.fletch.differential.Mutants#seeds")
    void wordsAreWhereTheDeclarationsSay(Mutants.Sound seed) {
        Annotated all = Annotated.of(seed.bytes(), seed.root());
        assertTrue(new Verifier().verify(seed.root(), MemorySegment.ofArray(seed.bytes())));
        Set<Mutants.Spot> found = new HashSet<>();
        for (Annotated.Told each : all.regions) {
            String kind = kind(each.region());
            if (kind != null && !isOfUnknownMember(each.region().node())) {
                found.add(new Mutants.Spot((int) each.region().at(), kind));
            }
        }
        Set<Mutants.Spot> expected =
                seed.words().stream()
                        .filter(word -> !word.kind().equals("VALUE"))
                        .collect(Collectors.toSet());
        assertEquals(expected, found);
        NavigableMap<Long, Annotated.Told> regions = new TreeMap<>();
        all.regions.forEach(each -> regions.put(each.region().at(), each));
        for (Mutants.Spot word : seed.words()) {
            if (word.kind().equals("VALUE")) {
                Region region = regions.floorEntry((long) word.at()).getValue().region();
                assertTrue(word.at() < region.end());
                assertEquals(RegionKind.FIELD, region.kind());
            }
        }
    }

    /// Members of unions that are not known are taken apart beyond what the declarations say.
    private static boolean isOfUnknownMember(Node node) {
        return switch (node == null ? null : node.kind) {
            case null -> false;
            case TABLE -> node.rules.name().endsWith(")");
            case VTABLE -> node.kinds.stream().allMatch(each -> each.name().endsWith(")"));
            default -> false;
        };
    }

    private static String kind(Region region) {
        return switch (region.kind()) {
            case ROOT_OFFSET -> "OFFSET";
            case VTABLE_OFFSET, VTABLE_SIZE, TABLE_SIZE, SLOT, TERMINATOR -> region.kind().name();
            case LENGTH -> "COUNT";
            case ELEMENT -> region.type() == null ? "ELEMENT" : null;
            case FIELD ->
                    region.type() == null
                            ? "OFFSET"
                            : region.field().kind() == FieldDeclaration.Kind.UNION_TAG
                                    ? "TAG"
                                    : null;
            default -> null;
        };
    }

    /// Errors of the structure are only in flatbuffers that the verifier rejects.
    @Test
    void damagedFlatbuffersKeepTheVerifiersFaults() {
        int[] counts = new int[2];
        Mutants.forEach(
                SEED,
                MUTANTS,
                each -> {
                    Annotated all = Annotated.of(each.bytes(), each.root());
                    if (all.assertToldFaultsOf(each.root()) > 0) {
                        counts[0]++;
                        assertFalse(all.told.isEmpty());
                    } else {
                        assertTrue(
                                all.told.stream()
                                        .map(Fault::rule)
                                        .filter(rule -> rule.severity() == Severity.ERROR)
                                        .noneMatch(rule -> rule instanceof StructureRule),
                                () -> all.told + "\n" + each);
                    }
                    Annotated.of(each.bytes());
                    counts[1]++;
                });
        assertTrue(counts[0] > MUTANTS / 10);
        System.out.printf("annotate: %d mutants, %d with faults%n", counts[1], counts[0]);
    }

    @Test
    void randomBytesAreAnnotated() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < CaseCount.of(120, 5_000); i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            for (int n = random.nextInt(20); n > 0 && bytes.length > 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(-1, 17);
            }
            if (i % 3 == 0 && bytes.length > 4) {
                Arrays.fill(bytes, 0, 4, (byte) -1);
            }
            Annotated.of(bytes);
            for (Root root : Root.values()) {
                Annotated.of(bytes, root);
            }
            Annotated.of(Base64.getMimeEncoder().encode(bytes));
        }
    }

    // ---- work

    @Test
    void sharedTablesAreTakenApartOnce() {
        byte[] bomb = CraftedBuffers.bomb(20, 8);
        Annotated all = Annotated.of(bomb, Root.SCHEMA);
        assertTrue(all.regions.size() <= bomb.length);
        assertTrue(
                all.regions.stream()
                        .anyMatch(
                                each ->
                                        each.region().node() != null
                                                && each.region().node().kind == Node.Kind.TABLE
                                                && each.region().node().references == 8));
    }

    @Test
    void deeplyNestedTablesNeedNoStackAndHaveShortPaths() {
        byte[] chain = CraftedBuffers.chain(LEVELS);
        Annotated all = Annotated.of(chain, Root.SCHEMA);
        assertTrue(all.count(RegionKind.VTABLE_OFFSET) >= LEVELS);
        for (Annotated.Told each : all.regions) {
            Node node = each.region().node();
            assertTrue(node == null || node.path().length() < 1_000);
        }
    }

    /// All words lead everywhere: vectors that overlap, vtables that overlap, at every place.
    @Test
    void overlappingTablesAreAnnotatedInTime() {
        for (int word : new int[] {4, 8, 12, 0x0004_0004, 0x7FFC, 64}) {
            byte[] bytes = new byte[CaseCount.of(1 << 17, 1 << 20)];
            for (int at = 0; at < bytes.length; at += 4) {
                MemorySegment.ofArray(bytes).set(Wire.INT, at, word);
            }
            for (Root root : List.of(Root.MESSAGE, Root.FOOTER, Root.SCHEMA)) {
                Annotated.of(bytes, root);
            }
        }
    }

    @Test
    void regionOverTheLimitCoversTheRest() {
        byte[] bytes =
                Mutants.seeds().stream()
                        .filter(each -> each.root() == Root.MESSAGE && each.bytes().length > 10_000)
                        .findFirst()
                        .orElseThrow()
                        .bytes();
        FlatbufferWalk walk =
                new FlatbufferWalk(MemorySegment.ofArray(bytes), 0, bytes.length, 100, "Message");
        long done = 0;
        int cut = 0;
        for (Region each : walk.regions()) {
            assertEquals(done, each.at());
            done = each.end();
            cut += each.kind() == RegionKind.NOT_ANNOTATED ? 1 : 0;
        }
        assertEquals(bytes.length, done);
        assertTrue(cut > 0);
    }
}
