// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

// ---- rows: parts of the input, objects, regions, notes and faults, in the order of their bytes

const PART = 0, NODE = 1, REGION = 2, NOTE = 3, FAULT = 4;
const MOST_TEXT = 4000;
const rows = [], types = [], levels = [], parents = [], from = [], to = [];
const regions = [], faultRows = [];

/** Adds a row: a region, or an object with the text of another row. */
function addRow(type, row, parent) {
  types.push(type);
  parents.push(parent);
  levels.push(parent >= 0 ? levels[parent] + 1 : 0);
  from.push(row.offset);
  to.push(row.offset + row.length);
  if (type === FAULT) faultRows.push(rows.length);
  return rows.push(row) - 1;
}

const faultText = fault => `${fault.level}: ${fault.code}: offset=${fault.offset}` + (fault.path ? `, path=${fault.path}` : '') + ': ' + fault.text;
const decoder = new TextDecoder();
const looks = data.looks.map(([kind, length, name, type, meaning, isSigned, hasTarget, elementBytes, noun, isNamed]) =>
  ({ kind, length, name, type, meaning, isSigned, hasTarget, elementBytes, noun, isNamed }));

/** The objects of a part: texts of their rows, and offsets. Their path has at most as many steps as in text. */
function nodesOf({ nodes }) {
  const MOST_STEPS = 40, found = [];
  for (let i = 0; i < nodes.length; i += 5) {
    const [title, , , offset, tables] = nodes.slice(i, i + 5);
    let path = '', up = i, steps = 0;
    for (; up >= 0 && nodes[up + 1] >= 0 && steps < MOST_STEPS; up = 5 * nodes[up + 2], steps++) {
      path = data.texts[nodes[up + 1]] + (path && '.' + path);
    }
    if (up >= 0 && nodes[up + 1] >= 0) path = '….' + path;
    found.push({ offset, text: data.texts[title] + (path && ', ' + path) + (tables > 1 ? `, used by ${number(tables)} tables` : '') });
  }
  return found;
}

/** The number in some bytes, little-endian. */
function numberIn(bytes, isSigned) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), name = (isSigned ? 'getInt' : 'getUint') + 8 * bytes.length;
  return bytes.length === 8 ? view.getBigInt64(0, true) : view[name](0, true);
}

function meaningOf(look, length, bytes) {
  if (look.meaning !== null) return look.meaning;
  const bytesText = length === 1 ? '1 byte' : length + ' bytes';
  if (look.kind === 'text') return JSON.stringify(decoder.decode(bytes).slice(0, MOST_TEXT) + (bytes.length < length ? '…' : ''));
  if (look.kind === 'padding') return length > 8 ? bytesText : '';
  if (look.length === 0) return bytesText;
  return String(numberIn(bytes, look.isSigned));
}

/** The regions of a part, in order: see AnnotatePage. */
function* regionsOf(part) {
  const { regions: list, bufferAt } = part, nodes = nodesOf(part), all = Uint8Array.from(atob(part.bytes), c => c.charCodeAt(0));
  let offset = part.offset, node, read = 0;
  for (let i = 0; i < list.length;) {
    if (list[i] < 0) {
      node = nodes[-2 - list[i++]];
      continue;
    }
    const look = looks[list[i++]], length = look.length || list[i++];
    const shownBytes = look.kind === 'body' ? 0 : Math.min(length, data.mostBytes);
    const bytes = all.subarray(read, read += shownBytes), region = { offset, length, kind: look.kind, node, bytes };
    region.meaning = meaningOf(look, length, bytes);
    if (look.hasTarget) {
      region.target = bufferAt + list[i++];
      region.meaning += ` → +${region.target - bufferAt}`;
    }
    if (look.noun !== null) {
      const ending = look.noun.startsWith(',') || region.meaning === '1' ? '' : 's';
      region.meaning += (look.noun.startsWith(',') ? '' : ' ') + `${look.noun}${ending} of ${data.texts[list[i++]]}`;
    }
    region.name = (look.elementBytes ? `[${Math.floor((offset - node.offset - 4) / look.elementBytes)}]` : '') + look.name;
    region.type = (look.type ?? '') + (look.isNamed ? ' ' + data.texts[list[i++]] : '');
    if (bufferAt >= 0 && offset >= bufferAt && look.kind !== 'body') region.relative = offset - bufferAt;
    yield region;
    offset += length;
  }
}

let done = 0;
for (const part of data.parts) {
  const partRow = addRow(PART, { text: part.title, offset: part.offset, length: 0 }, -1);
  const remarks = new Map(part.remarks.map(each => [each.region, each]));
  let nodeRow = -1, node, i = 0;
  for (const region of regionsOf(part)) {
    const { offset, length } = region, remark = remarks.get(i++);
    done = offset + length;
    if (region.node === undefined) nodeRow = -1;
    else if (nodeRow < 0 || region.node !== node) nodeRow = addRow(NODE, { text: region.node.text, offset, length: 0 }, partRow);
    node = region.node;
    const row = addRow(REGION, region, nodeRow >= 0 ? nodeRow : partRow);
    regions.push(row);
    for (let up = parents[row]; up >= 0; up = parents[up]) to[up] = done;
    if (remark?.note) addRow(NOTE, { text: remark.note, offset, length }, row);
    for (const fault of remark?.faults ?? []) addRow(FAULT, { text: faultText(fault), offset, length }, row);
  }
}
{
  const end = { offset: done, length: 0 }, last = parents.lastIndexOf(-1);
  if (data.end) {
    const range = `bytes ${number(from[0])} to ${number(done - 1)} of ${number(data.size)}`;
    addRow(NOTE, { ...end, text: `${data.end}, ${range}; fletch annotate --html FILE --message N shows message N` }, last);
  }
  if (!data.isChosen) for (const fault of data.faults) if (fault.offset >= done) addRow(FAULT, { ...end, text: faultText(fault) }, last);
}
const count = rows.length, expanded = new Uint8Array(count).fill(1);
const shown = regions.length ? to[regions[regions.length - 1]] : 0;
const faulty = new Set(faultRows.map(i => parents[i]));

const GROUPS = { 'vtable-size': 'vtable', 'table-size': 'vtable', slot: 'vtable', 'vtable-offset': 'table', field: 'table',
  'unknown-field': 'loose', text: 'string', terminator: 'string', element: 'vector', length: 'vector', padding: 'padding',
  unreferenced: 'loose', 'not-annotated': 'loose', body: 'padding' };
const LEGEND = [['framing', 'framing and root offsets'], ['vtable', 'vtables'], ['table', 'tables'], ['string', 'strings'],
  ['vector', 'vectors and lengths'], ['padding', 'padding and bodies'], ['loose', 'unreferenced or unknown']];
const groupOf = row => GROUPS[rows[row].kind] ?? 'framing';

const last = (list, isBefore) => lastIndex(list.length - 1, i => isBefore(list[i]));

/** Index in regions of the region of a byte. */
const regionAt = byte => last(regions, row => from[row] <= byte);

// ---- bytes: lines of 16, or of fewer if the window is narrow; one line for bytes that are not shown

const LINE = 20, placeWidth = Math.max(4, String(data.size).length);
const spans = [];
let perLine = 16, lineCount = 0;
function addSpan(at, length, bytes) {
  if (length > 0) spans.push({ at, bytes, length });
}
{
  let start = regions.length ? from[regions[0]] : 0, bytes = [];
  for (const row of regions) {
    const hidden = rows[row].length - rows[row].bytes.length;
    for (const each of rows[row].bytes) bytes.push(each);
    if (hidden > 0) {
      addSpan(start, bytes.length, bytes);
      addSpan(to[row] - hidden, hidden, null);
      [start, bytes] = [to[row], []];
    }
  }
  addSpan(start, bytes.length, bytes);
}

/** Width of a line: place, bytes, characters. */
const widthOf = perLine => `calc(${placeWidth + 4 * perLine + 3}ch + 1.3em)`;

const spanOfByte = byte => spans[last(spans, span => span.at <= byte)];
const spanOfLine = line => spans[last(spans, span => span.line <= line)];

function lineOf(byte) {
  const span = spanOfByte(byte);
  return span.line + (span.bytes ? Math.floor((byte - span.at) / perLine) : 0);
}

// ---- long lists: only the visible lines are elements of the page

/** A list of items. Each has one line or more: itemAt is the item of a line, lineAt an item's first line. */
const listOf = (id, lines, itemAt, lineAt, make, mark) => {
  const box = byId(id), spacer = box.querySelector('.spacer'), view = box.querySelector('.window');
  let first = -1, end = -1;
  const list = { box, view, spacer,
    draw(force) {
      const top = Math.floor(box.scrollTop / LINE), bottom = Math.ceil((box.scrollTop + box.clientHeight) / LINE);
      const from = itemAt(Math.max(0, top - 8));
      const until = lines() === 0 ? 0 : itemAt(Math.min(lines() - 1, bottom + 8)) + 1;
      view.style.transform = `translateY(${lineAt(from) * LINE}px)`;
      if (!force && from === first && until === end) return;
      [first, end] = [from, until];
      spacer.style.height = lines() * LINE + 'px';
      view.replaceChildren(...Array.from({ length: Math.max(0, until - from) }, (_, i) => make(from + i)));
      mark();
    },
    reveal(item, height = 1) {
      const y = lineAt(item) * LINE, top = box.scrollTop, room = box.clientHeight - height * LINE;
      if (y < top || y > top + room) {
        box.scrollTop = y - Math.max(0, Math.min(box.clientHeight / 3, room));
        list.draw();
      }
    } };
  box.addEventListener('scroll', () => list.draw());
  new ResizeObserver(() => list.draw()).observe(box);
  return list;
};

const hexDigits = byte => byte.toString(16).padStart(2, '0');

function placeOf(byte) {
  const place = element('span', String(byte), 'place');
  place.style.minWidth = placeWidth + 2 + 'ch';
  return place;
}

function makeLine(line) {
  const made = element('div', undefined, 'line'), span = spanOfLine(line);
  if (!span.bytes) {
    const opaque = element('span', `${number(span.length)} bytes, not shown`, 'opaque');
    opaque.dataset.at = span.at;
    made.append(placeOf(span.at), opaque);
    return made;
  }
  const start = (line - span.line) * perLine, stop = Math.min(span.length, start + perLine), chars = [];
  made.append(placeOf(span.at + start));
  let region = regionAt(span.at + start);
  for (let i = start; i < start + perLine; i++) {
    const cell = element('span', i < stop ? hexDigits(span.bytes[i]) : '', 'byte' + (i - start === 8 ? ' space' : ''));
    if (i < stop) {
      const at = span.at + i, byte = span.bytes[i];
      while (region + 1 < regions.length && from[regions[region + 1]] <= at) region++;
      cell.dataset.at = at;
      cell.classList.add(groupOf(regions[region]));
      if (faulty.has(regions[region])) cell.classList.add('bad');
      const char = element('span', byte > 32 && byte < 127 ? String.fromCharCode(byte) : '·', 'char');
      char.dataset.at = at;
      chars.push(char);
    }
    made.append(cell);
  }
  if (chars.length) chars[0].classList.add('first');
  made.append(...chars);
  return made;
}

// ---- the tree

// Of the rows that are not folded: index and first line; at the end, the number of lines.
let visible = [], tops = [];
function unfold() {
  visible = [];
  tops = [0];
  let hidden = -1; // level of a folded row; deeper rows behind it are hidden
  for (let i = 0; i < count; i++) {
    if (hidden >= 0 && levels[i] > hidden) continue;
    hidden = expanded[i] ? -1 : levels[i];
    visible.push(i);
    tops.push(tops[tops.length - 1] + linesOf(i).length);
  }
  tree.draw(true);
}

/** Lines of a row. Regions have one; other texts are wrapped. */
function linesOf(row) {
  if (types[row] === REGION) return [''];
  const text = (types[row] === FAULT ? '✗ ' : '') + printable(rows[row].text.slice(0, MOST_TEXT));
  const width = Math.max(12, treeWidth - 2 * levels[row] - (isStacked && types[row] >= NOTE ? 0 : placeWidth + 4));
  if (text.length <= width / 2) return [text];
  // Characters of other scripts may be as wide as two.
  const most = Math.floor(/[^\0-\u02ff…✗→]/u.test(text) ? width / 2 : width);
  return text.match(new RegExp(`.{1,${most}}(?: |$)|.{1,${most}}`, 'gu'));
}

const indexOf = row => last(visible, each => each <= row);
const canFold = row => types[row] <= NODE;

function makeItem(index) {
  const i = visible[index], row = rows[i];
  const made = element('div', undefined, 'item');
  made.id = 'row' + i;
  made.dataset.row = i;
  made.setAttribute('role', 'treeitem');
  made.setAttribute('aria-level', levels[i] + 1);
  if (canFold(i)) made.setAttribute('aria-expanded', expanded[i] === 1);
  const place = placeOf(from[i]);
  if (types[i] >= NOTE) place.textContent = '';
  const fold = element('span', canFold(i) ? (expanded[i] ? '▾' : '▸') : '', 'fold');
  fold.style.marginLeft = 2 * levels[i] + 'ch';
  made.append(place, fold);
  if (types[i] === REGION) {
    const { meaning } = row;
    made.append(element('span', printable(row.name), 'name ' + groupOf(i)));
    if (row.type) made.append(element('span', printable(row.type), 'type'));
    made.append(element('span', meaning ? printable(meaning) : '', 'meaning'));
    if (row.target !== undefined) {
      const go = element('button', 'go', 'go');
      go.tabIndex = -1;
      go.dataset.target = row.target;
      made.append(go);
    }
  } else {
    made.classList.add(['part', 'node', '', 'note', 'fault'][types[i]]);
    const all = element('span', undefined, 'name-all');
    all.append(...linesOf(i).map(line => element('span', line)));
    made.append(all);
  }
  return made;
}

// ---- hovered and chosen rows

let chosen = -1, hovered = -1, cursor = -1;

function markBytes() {
  for (const cell of hex.view.querySelectorAll('[data-at]')) {
    const at = Number(cell.dataset.at), isIn = row => row >= 0 && at >= from[row] && at < to[row];
    cell.classList.toggle('hovered', isIn(hovered));
    cell.classList.toggle('chosen', isIn(chosen));
  }
}

function markItems() {
  for (const item of tree.view.children) {
    const row = Number(item.dataset.row);
    item.classList.toggle('hovered', row === hovered);
    item.classList.toggle('chosen', row === chosen);
    item.setAttribute('aria-selected', row === chosen);
  }
}

const hex = listOf('hex', () => lineCount, line => line, line => line, makeLine, markBytes);
const tree = listOf('tree', () => tops[visible.length], line => lastIndex(visible.length - 1, i => tops[i] <= line),
  index => tops[index], makeItem, markItems);
const revealRow = index => tree.reveal(index, tops[index + 1] - tops[index]);

/** Fits both lists to the window. */
let isStacked, treeWidth;
function layOut() {
  const { spacer, box } = hex;
  isStacked = matchMedia('(max-width: 1000px)').matches;
  box.style.setProperty('--hex-width', widthOf(16));
  perLine = [16, 8, 4].find(each => {
    spacer.style.width = widthOf(each);
    return !isStacked || each === 4 || spacer.offsetWidth <= box.clientWidth;
  });
  spacer.style.width = '100ch';
  // Beside the text: sign for folding, and padding.
  treeWidth = Math.floor((tree.box.clientWidth - 12) / (spacer.offsetWidth / 100)) - 2;
  spacer.style.width = '';
  lineCount = 0;
  for (const span of spans) {
    span.line = lineCount;
    lineCount += span.bytes ? Math.ceil(span.length / perLine) : 1;
  }
  hex.draw(true);
  unfold();
  if (chosen >= 0) choose(chosen);
}

function tell(i) {
  if (i < 0) return;
  const row = rows[i], pairs = [];
  const region = types[i] >= NOTE ? parents[i] : i;
  if (types[i] >= NOTE) pairs.push([types[i] === NOTE ? 'note' : 'fault', printable(row.text)]);
  if (region >= 0 && types[region] === REGION) {
    const { name, type, meaning } = rows[region];
    pairs.push(['name', printable(name)]);
    if (type) pairs.push(['type', printable(type)]);
    if (meaning) pairs.push(['value', printable(meaning)]);
    const node = parents[region];
    if (node >= 0 && types[node] === NODE) pairs.push(['in', printable(rows[node].text)]);
  } else if (region >= 0) {
    pairs.push(['', printable(rows[region].text)]);
  }
  pairs.push(['offset', number(from[i])], ['length', number(to[i] - from[i])]);
  if (rows[i].relative !== undefined) pairs.push(['in flatbuffer', '+' + number(rows[i].relative)]);
  for (let j = region + 1; types[i] === REGION && j < count && types[j] >= NOTE; j++) {
    pairs.push([types[j] === NOTE ? 'note' : 'fault', printable(rows[j].text)]);
  }
  show(pairs);
}

function open(row) {
  let changed = false;
  for (let up = parents[row]; up >= 0; up = parents[up]) {
    changed ||= expanded[up] === 0;
    expanded[up] = 1;
  }
  if (changed) {
    unfold();
  }
}

function hover(row, byTree) {
  if (row === hovered) return;
  hovered = row;
  if (row >= 0 && byTree && shown > 0) hex.reveal(lineOf(from[row]));
  if (row >= 0 && !byTree) revealRow(indexOf(row));
  markBytes();
  markItems();
  tell(row >= 0 ? row : chosen);
}

function choose(row) {
  if (!(row >= 0 && row < count)) return;
  chosen = row;
  cursor = from[row];
  open(row);
  tell(row);
  revealRow(indexOf(row));
  if (shown > 0) hex.reveal(lineOf(from[row]));
  byId('tree').setAttribute('aria-activedescendant', 'row' + row);
  markBytes();
  markItems();
}

function follow(target) {
  if (target >= 0 && target < shown) choose(regions[regionAt(target)]);
}

function fold(row, isOpen) {
  if (!canFold(row) || (expanded[row] === 1) === isOpen) return false;
  expanded[row] = isOpen ? 1 : 0;
  unfold();
  return true;
}

function foldAll(isOpen) {
  for (let i = 0; i < count; i++) if (canFold(i)) expanded[i] = Number(isOpen);
  unfold();
  if (chosen >= 0) choose(visible[indexOf(chosen)]);
}

function nextFault(by) {
  if (faultRows.length === 0) return show([['', 'This input has no faults.']]);
  const after = faultRows.filter(row => by > 0 ? row > chosen : row < chosen);
  choose(by > 0 ? after[0] ?? faultRows[0] : after[after.length - 1] ?? faultRows[faultRows.length - 1]);
}

function find(text) {
  const wanted = text.toLowerCase();
  for (let i = 1; wanted && i <= count; i++) {
    const row = (Math.max(0, chosen) + i) % count, { name, type, meaning, text } = rows[row];
    const words = [name, type, meaning, text].filter(each => each !== undefined).join(' ');
    if (words.toLowerCase().includes(wanted)) return choose(row);
  }
  if (wanted) show([['', `No name or value contains ${printable(text)}.`]]);
}

// ---- mouse and keyboard

const byteUnder = event => event.target.dataset?.at;
const itemUnder = event => event.target.closest?.('.item')?.dataset.row;

hex.box.addEventListener('mousemove', event => {
  const at = byteUnder(event);
  hover(at === undefined ? -1 : regions[regionAt(Number(at))], false);
});
tree.box.addEventListener('mousemove', event => hover(Number(itemUnder(event) ?? -1), true));
for (const box of [hex.box, tree.box]) box.addEventListener('mouseleave', () => hover(-1, true));
hex.box.addEventListener('click', event => {
  const at = byteUnder(event);
  if (at === undefined) return;
  choose(regions[regionAt(Number(at))]);
  cursor = Number(at);
});
tree.box.addEventListener('click', event => {
  const row = Number(itemUnder(event) ?? -1);
  if (event.target.dataset.target !== undefined) return follow(Number(event.target.dataset.target));
  if (row >= 0 && event.target.classList.contains('fold')) fold(row, expanded[row] === 0);
  choose(row);
});

function treeKey(key) {
  const at = indexOf(Math.max(0, chosen)), page = Math.max(1, Math.floor(tree.box.clientHeight / LINE) - 1);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }[key];
  if (step !== undefined) choose(visible[Math.max(0, Math.min(visible.length - 1, chosen < 0 ? 0 : at + step))]);
  else if (key === 'ArrowLeft') { if (!fold(chosen, false) && parents[chosen] >= 0) choose(parents[chosen]); }
  else if (key === 'ArrowRight') { if (!fold(chosen, true) && chosen + 1 < count && levels[chosen + 1] > levels[chosen]) choose(chosen + 1); }
  else if (key === 'Enter' && chosen >= 0 && types[chosen] === REGION && rows[chosen].target !== undefined) follow(rows[chosen].target);
  else return false;
  return true;
}

function hexKey(key) {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perLine, ArrowUp: -perLine, Home: -shown, End: shown }[key];
  if (step === undefined) return treeKey(key);
  if (shown === 0) return true;
  const wanted = Math.max(0, Math.min(shown - 1, cursor < 0 ? 0 : cursor + step)), span = spanOfByte(wanted);
  const next = span.bytes ? wanted : step > 0 && span !== spanOfByte(Math.max(0, cursor)) ? span.at : wanted;
  choose(regions[regionAt(next)]);
  cursor = next;
  return true;
}

function keys(event, handler) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (handler(event.key)) event.preventDefault();
}
tree.box.addEventListener('keydown', event => keys(event, treeKey));
hex.box.addEventListener('keydown', event => keys(event, hexKey));
tree.box.addEventListener('focus', () => { if (chosen < 0) choose(0); });
hex.box.addEventListener('focus', () => { if (chosen < 0) choose(0); });
document.addEventListener('keydown', event => {
  if (event.target.tagName === 'INPUT' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'f') nextFault(1);
  if (event.key === 'F') nextFault(-1);
});
byId('next').addEventListener('click', () => nextFault(1));
byId('previous').addEventListener('click', () => nextFault(-1));
byId('collapse').addEventListener('click', () => foldAll(false));
byId('expand').addEventListener('click', () => foldAll(true));
byId('more').addEventListener('click', ({ target }) => { target.ariaExpanded = String(target.ariaExpanded === 'false'); });
byId('find').addEventListener('keydown', event => { if (event.key === 'Enter') find(event.target.value); });
addEventListener('resize', layOut);

{
  showTitle('annotate', `${data.base64 ? 'base64 of: ' : ''}${data.form}${data.root ? ' ' + data.root : ''}, ${number(data.size)} bytes`);
  byId('faults').textContent = faultRows.length === 0 ? 'no faults' : number(faultRows.length) + (faultRows.length === 1 ? ' fault' : ' faults');
  byId('next').disabled = byId('previous').disabled = faultRows.length === 0;
  byId('legend').replaceChildren(...LEGEND.map(([group, title]) => {
    const item = element('li');
    item.append(element('span', '■ ', group), title);
    return item;
  }));
}
show([['', 'Point at a byte or a row of the tree to see its details here.']]);
layOut();
if (faultRows.length > 0) choose(faultRows[0]);
