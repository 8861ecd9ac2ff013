// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

const map = data;
const size = map.totals.size;
const count = (n, one, many) => `${n} ${String(n) === '1' ? one : many}`;
const share = n => (size === 0 ? 0 : 100 * n / size).toFixed(1) + '%';
const CLASS = Object.fromEntries(map.classes.map((name, i) => [name, i]));

// ---- extents: the purpose of all bytes, in order, without gaps

const parts = [...map.messages, map.rest];
const extentCount = parts.reduce((sum, each) => sum + each.extents.length / 3, 0);
const starts = new Float64Array(extentCount + 1);
const classes = new Uint8Array(extentCount);
const buffers = new Int32Array(extentCount);
const owners = new Int32Array(extentCount);
{
  let i = 0, at = 0;
  parts.forEach((part, owner) => {
    for (let e = 0; e < part.extents.length; e += 3, i++) {
      starts[i] = at;
      classes[i] = part.extents[e];
      buffers[i] = part.extents[e + 1];
      owners[i] = owner;
      at += part.extents[e + 2];
    }
  });
  starts[i] = at;
}
const damaged = [...classes.keys()].filter(i => classes[i] === CLASS.damaged);
/** Number of drawn bytes: all, unless the limit of regions is reached. */
const drawn = starts[extentCount];

const extentAt = byte => lastIndex(extentCount - 1, i => starts[i] <= byte);

const dictionaries = new Map((map.dictionaries ?? []).map(each => [each.title, each]));

function fieldsOf(message) {
  return message.dictionary === undefined ? map.columns : dictionaries.get(message.dictionary);
}

function bufferOf(message, index) {
  const [field, role, offset, length, padding] = message.buffers.slice(5 * index, 5 * index + 5);
  const fields = fieldsOf(message);
  return { field, role: role < 0 ? '' : map.roles[role], offset, length, padding,
    path: field < 0 ? '(no column)' : fields.paths[field],
    column: field < 0 ? -1 : fields.columns[field] };
}

// ---- colours

// From the darkest shade to the lightest; reversed on a dark page.
const LIGHTNESS = { validity: .38, typeIds: .46, offsets: .54, sizes: .62, data: .7, views: .76, variadic: .84 };
const ROLES = Object.keys(LIGHTNESS).filter(role => map.messages.some(message =>
  message.buffers?.some((each, i) => i % 5 === 1 && map.roles[each] === role)));
const DICTIONARY_HUE = 185, OTHERS_HUE = 85, MOST_HUES = 10;

let dark, plain;
function readColours() {
  dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const style = getComputedStyle(document.documentElement);
  plain = map.classes.map(name => style.getPropertyValue('--' + name).trim());
}

/** Starts with blue; neighbours differ much. Leaves out brown, red and teal, which have other meanings. */
function hueOf(index) {
  const place = (122 + index * 3 % MOST_HUES * 222 / MOST_HUES) % 222;
  return Math.round(place < 80 ? 75 + place : 133 + place);
}

/** What has a colour of its own: a column; in a single column, each of its fields. */
const UNIT = map.columnCount === 1 ? 'field' : 'column';

/** Hues of the units: of all if they are few, else of the largest with at least 1% of the bytes. */
const hues = new Map(), unitBytes = new Map();
{
  for (const message of map.messages) {
    for (let i = 0; message.dictionary === undefined && i < (message.buffers ?? []).length / 5; i++) {
      const { [UNIT]: unit, length } = bufferOf(message, i);
      if (unit >= 0) unitBytes.set(unit, (unitBytes.get(unit) ?? 0) + length);
    }
  }
  [...unitBytes].filter(([, bytes]) => unitBytes.size <= MOST_HUES || bytes * 100 >= drawn)
    .sort(([, a], [, b]) => b - a).slice(0, MOST_HUES)
    .sort(([a], [b]) => a - b).forEach(([unit], i) => hues.set(unit, hueOf(i)));
}

function others(n) {
  const name = (hues.size > 0 ? 'other ' : '') + UNIT;
  return count(number(n), name, name + 's');
}

/** Shade of a hue for a role. Without a hue: that of all other columns, pale. */
function shade(hue, role) {
  const pale = hue === undefined ? .1 : 0, lightness = LIGHTNESS[role];
  return `oklch(${(dark ? 1.28 - pale - lightness : pale + lightness).toFixed(2)} ${pale ? .04 : .13} ${hue ?? OTHERS_HUE})`;
}

/** Columns differ in hue, buffers of a field in lightness. */
function colour(message, buffer) {
  if (buffer.column < 0) return plain[CLASS.other];
  return shade(message.dictionary === undefined ? hues.get(buffer[UNIT]) : DICTIONARY_HUE, buffer.role);
}

const inks = new Map(), drop = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
/** Black or white, whichever contrasts more with a colour. */
function inkOn(colour) {
  if (!inks.has(colour)) {
    drop.fillStyle = colour;
    drop.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...drop.getImageData(0, 0, 1, 1).data].map(each =>
      each <= 10 ? each / 255 / 12.92 : ((each / 255 + .055) / 1.055) ** 2.4);
    inks.set(colour, .2126 * red + .7152 * green + .0722 * blue > .179 ? '#000' : '#fff');
  }
  return inks.get(colour);
}

// ---- details

function batchPairs(message) {
  const kind = message.dictionary === undefined ? 'record batch' : 'dictionary batch';
  return [['batch', `message ${message.index}, ${kind}, ${count(message.rows, 'row', 'rows')}`]];
}

function bufferPairs(message, buffer) {
  return [['column', buffer.path], ...batchPairs(message), ['role', buffer.role],
    ['offset', number(buffer.offset)], ['length', number(buffer.length)],
    ['padding', number(buffer.padding)]];
}

const faultText = ({ message, text }) => (message === undefined ? '' : `message ${message}: `) + printable(text);

function extentPairs(extent) {
  const message = parts[owners[extent]];
  const place = [['offset', number(starts[extent])],
    ['length', number(starts[extent + 1] - starts[extent])]];
  const of = map.classes[classes[extent]];
  if (classes[extent] === CLASS.damaged) {
    const inside = map.faults.filter(each => each.offset >= starts[extent] && each.offset < starts[extent + 1]);
    return [['class', of], ...inside.map(each => ['fault', faultText(each)]), ...place];
  }
  if (buffers[extent] < 0) {
    const where = message.kind ? [['message', `${message.index}, ${message.kind}`]] : [];
    return [['class', of], ...(classes[extent] === CLASS.metadata || classes[extent] === CLASS.other
      ? where : []), ...place];
  }
  const buffer = bufferOf(message, buffers[extent]);
  return classes[extent] === CLASS.padding
    ? [['class', 'padding'], ['behind', `${buffer.path} ${buffer.role}`], ...batchPairs(message), ...place]
    : bufferPairs(message, buffer);
}

// ---- all bytes: lines of equal length, one below the other

/** The colour of an extent, its names from the longest to the shortest, and its unit if it has no hue. */
function lookOf(extent) {
  const of = classes[extent], message = parts[owners[extent]];
  if (of !== CLASS.columns && of !== CLASS.dictionaries) return { fill: plain[of], names: () => [map.classes[of]] };
  const buffer = bufferOf(message, buffers[extent]), names = () => [`${buffer.path} ${buffer.role}`, buffer.path];
  const hasHue = of === CLASS.dictionaries || buffer.column < 0 || hues.has(buffer[UNIT]);
  return hasHue ? { fill: colour(message, buffer), names } : { fill: shade(undefined, 'data'), names, unit: buffer[UNIT] };
}

/** The longest end of a path that fits, if it has some letters. */
function endOf(path, fits) {
  const letters = [...path], end = n => '…' + letters.slice(letters.length - n).join('');
  const n = lastIndex(letters.length, n => fits(end(n)));
  return n < 4 ? undefined : end(n);
}

const canvas = byId('whole');
const LINE = 18, GAP = 4, MAX_LINES = 640;
let lines = Math.max(1, Math.min(24, Math.ceil(extentCount / 24), drawn));
let selected = -1;

const bytesPerLine = () => Math.max(1, Math.ceil(drawn / lines));
const pixelsPerByte = () => canvas.clientWidth / bytesPerLine();

/** The rectangles of an extent, one per line. */
function* boxes(extent) {
  const per = bytesPerLine(), scale = pixelsPerByte();
  for (let from = starts[extent]; from < starts[extent + 1];) {
    const line = Math.floor(from / per);
    const to = Math.min(starts[extent + 1], (line + 1) * per);
    yield { x: (from - line * per) * scale, y: line * (LINE + GAP), width: (to - from) * scale };
    from = to;
  }
}

function draw() {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const height = Math.ceil(drawn / bytesPerLine()) * (LINE + GAP);
  canvas.style.height = height + 'px';
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  const fits = (text, width) => pen.measureText(text).width + 8 <= width;
  const write = (text, x, y, background) => {
    pen.fillStyle = inkOn(background);
    pen.fillText(text, x + 4, y + LINE / 2 + 1);
  };
  const snap = x => Math.round(x * ratio) / ratio;
  // If extents share a pixel, the largest is drawn; padding only if alone, and not between other columns.
  // Such a pixel is wider than its bytes. If all together would take more than a twentieth of a line, some get the
  // colour before them.
  let pixel = null, spare = 0, before = null;
  // Neighbours in a line that are all of other columns have one label.
  let run = null;
  const flush = () => {
    if (pixel === null) return;
    spare += pixel.width * ratio;
    const fill = spare > 0 || before === null ? pixel.fill : before;
    if (fill !== before) spare--;
    pen.fillStyle = fill;
    pen.fillRect(pixel.x, pixel.y, 1 / ratio, LINE);
    pixel = null;
  };
  const flushRun = () => {
    if (run !== null && fits(others(run.units), run.end - run.x)) write(others(run.units), run.x, run.y, run.fill);
    run = null;
  };
  for (let i = 0; i < extentCount; i++) {
    const { fill, unit, names } = lookOf(i), isPadding = classes[i] === CLASS.padding;
    for (const box of boxes(i)) {
      const x = Math.floor(box.x * ratio) / ratio, end = box.x + box.width;
      if (pixel !== null && (pixel.x !== x || pixel.y !== box.y)) flush();
      if (box.x === 0) [spare, before] = [4, null];
      if (box.width * ratio >= 1) {
        pen.fillStyle = fill;
        pen.fillRect(snap(box.x), box.y, snap(end) - snap(box.x), LINE);
        flush();
        spare += box.width * ratio / 20;
        before = fill;
      } else {
        const weight = isPadding ? 0 : box.width, width = (pixel?.width ?? 0) + box.width;
        if (pixel === null || weight > pixel.weight) pixel = { fill: isPadding && run ? run.fill : fill, x, y: box.y, weight };
        pixel.width = width;
      }
      if (isPadding) continue;
      const fitsBox = text => fits(text, box.width), all = box.width < 2 * LINE ? [] : names();
      const name = all.find(fitsBox) ?? (unit === undefined && all[1] ? endOf(all[1], fitsBox) : undefined);
      if (unit === undefined || name !== undefined || run?.y !== box.y) flushRun();
      if (name !== undefined) {
        write(name, box.x, box.y, fill);
        for (const x of unit === undefined ? [] : [snap(box.x), snap(end) - 1 / ratio]) pen.fillRect(x, box.y, 1 / ratio, LINE);
      } else if (unit !== undefined) {
        run ??= { x: box.x, y: box.y, fill, units: 0 };
        if (run.last !== unit) run.units++;
        [run.last, run.end] = [unit, end];
      }
    }
  }
  flush();
  flushRun();
  // Damage can be seen however small it is.
  pen.fillStyle = plain[CLASS.damaged];
  for (const i of damaged) for (const box of boxes(i)) if (box.width < 4) pen.fillRect(Math.max(0, box.x - 2), box.y, 4, LINE);
  if (selected >= 0) {
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--text');
    pen.lineWidth = 2;
    for (const box of boxes(selected)) {
      pen.strokeRect(box.x - 1, box.y + 1, Math.max(4, box.width + 2), LINE - 2);
    }
  }
  byId('scale').textContent = `${number(bytesPerLine())} bytes per line`;
  byId('out').disabled = lines <= 1;
  byId('in').disabled = lines >= Math.min(MAX_LINES, drawn);
}

function zoom(factor) {
  lines = Math.round(Math.max(1, Math.min(MAX_LINES, drawn, lines * factor)));
  draw();
  reveal();
}

function reveal() {
  if (selected < 0) return;
  const y = Math.floor(starts[selected] / bytesPerLine()) * (LINE + GAP), box = byId('whole-box');
  if (y < box.scrollTop || y + LINE > box.scrollTop + box.clientHeight) {
    box.scrollTop = y - box.clientHeight / 2;
  }
}

function select(extent) {
  selected = Math.max(0, Math.min(extentCount - 1, extent));
  show(extentPairs(selected));
  draw();
  reveal();
}

function extentUnder(event) {
  const area = canvas.getBoundingClientRect();
  const line = Math.floor((event.clientY - area.top) / (LINE + GAP));
  const byte = line * bytesPerLine() + Math.floor((event.clientX - area.left) / pixelsPerByte());
  return byte >= 0 && byte < drawn ? extentAt(byte) : -1;
}

canvas.addEventListener('mousemove', event => {
  const extent = extentUnder(event);
  if (extent >= 0) show(extentPairs(extent));
});
canvas.addEventListener('click', event => {
  const extent = extentUnder(event);
  if (extent < 0) return;
  select(extent);
  open(extent);
});
canvas.addEventListener('focus', () => { if (selected < 0) select(0); });
canvas.addEventListener('keydown', event => {
  const to = { ArrowRight: selected + 1, ArrowLeft: selected - 1, Home: 0, End: extentCount - 1,
    ArrowDown: extentAt(starts[Math.max(0, selected)] + bytesPerLine()),
    ArrowUp: extentAt(starts[Math.max(0, selected)] - bytesPerLine()) }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (to !== undefined) select(to);
  else if (event.key === 'Enter') open(selected);
  else if (event.key === '+') zoom(2);
  else if (event.key === '-') zoom(.5);
  else return;
  event.preventDefault();
});
byId('in').addEventListener('click', () => zoom(2));
byId('out').addEventListener('click', () => zoom(.5));

// ---- one batch

const batches = map.messages.filter(message => message.buffers);
const MAX_ROWS = 1000, CHOICES = 5000;
let batch = Math.max(0, batches.findIndex(message => message.dictionary === undefined));

function choice(index) {
  const option = element('option', `message ${batches[index].index}: `
    + (batches[index].dictionary === undefined ? '' : `${batches[index].dictionary}, `)
    + count(batches[index].rows, 'row', 'rows'));
  option.value = index;
  return option;
}

function rowsOf(message, wanted) {
  const rows = [];
  let hidden = 0, last = null;
  for (let i = 0; i < message.buffers.length / 5; i++) {
    const buffer = bufferOf(message, i);
    if (!buffer.path.toLowerCase().includes(wanted)) continue;
    if (last === null || last.field !== buffer.field) {
      last = { field: buffer.field, path: buffer.path, buffers: [] };
      if (rows.length < MAX_ROWS) rows.push(last); else hidden++;
    }
    last.buffers.push([i, buffer]);
  }
  return [rows, hidden];
}

function fillRows() {
  const message = batches[batch];
  byId('previous').disabled = batch === 0;
  byId('next').disabled = batch >= batches.length - 1;
  if (!message) {
    byId('rows').replaceChildren(element('p', 'No batches.'));
    return;
  }
  byId('batch').value = batch;
  const [rows, hidden] = rowsOf(message, byId('filter').value.toLowerCase());
  const largest = rows.reduce((most, row) =>
    Math.max(most, row.buffers.reduce((sum, [, buffer]) => sum + buffer.length, 0)), 1);
  byId('rows').replaceChildren(...rows.map(row => {
    const line = element('div', undefined, 'row'), bar = element('div', undefined, 'bar');
    line.setAttribute('role', 'listitem');
    const path = element('div', row.path, 'path');
    path.title = row.path;
    for (const [index, buffer] of row.buffers) bar.append(box(message, index, buffer, largest));
    const bytes = row.buffers.reduce((sum, [, buffer]) => sum + buffer.length, 0);
    line.append(path, element('div', number(bytes), 'size'), bar);
    return line;
  }));
  const first = byId('rows').querySelector('.buffer');
  if (first) first.tabIndex = 0;
  byId('shown').textContent = `fields: ${number(rows.length)}`
    + (hidden ? `, ${number(hidden)} more: refine the filter` : '');
}

function box(message, index, buffer, largest) {
  const width = 92 * buffer.length / largest;
  const made = element('span', width > 15 ? buffer.role : '', buffer.length === 0 ? 'buffer empty' : 'buffer');
  made.dataset.index = index;
  made.tabIndex = -1;
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', `${buffer.path}, ${buffer.role}, ${number(buffer.length)} bytes`);
  made.style.width = width + '%';
  made.style.background = colour(message, buffer);
  made.style.color = inkOn(colour(message, buffer));
  return made;
}

function showBox(event) {
  const index = event.target.dataset?.index;
  if (index === undefined) return;
  show(bufferPairs(batches[batch], bufferOf(batches[batch], Number(index))));
}

function walkBoxes(event) {
  const from = event.target;
  const row = from.closest('.row');
  const inRow = line => line?.querySelector('.buffer');
  const to = { ArrowRight: from.nextElementSibling ?? inRow(row?.nextElementSibling),
    ArrowLeft: from.previousElementSibling ?? row?.previousElementSibling?.querySelector('.buffer:last-child'),
    ArrowDown: inRow(row?.nextElementSibling), ArrowUp: inRow(row?.previousElementSibling) }[event.key];
  if (!to || from.dataset.index === undefined) return;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
  event.preventDefault();
}

function open(extent) {
  const found = batches.indexOf(parts[owners[extent]]);
  if (found < 0) return;
  batch = found;
  byId('filter').value = '';
  fillRows();
  const target = byId('rows').querySelector(`[data-index="${buffers[extent]}"]`);
  if (target) target.scrollIntoView({ block: 'center' });
}

function turn(by) {
  batch = Math.max(0, Math.min(batches.length - 1, batch + by));
  fillRows();
}

byId('rows').addEventListener('mouseover', showBox);
byId('rows').addEventListener('focusin', showBox);
byId('rows').addEventListener('keydown', walkBoxes);
byId('previous').addEventListener('click', () => turn(-1));
byId('next').addEventListener('click', () => turn(1));
byId('filter').addEventListener('input', fillRows);
byId('batch').addEventListener('change', event => { batch = Number(event.target.value); fillRows(); });

// ---- words and numbers

/** With so many columns their sizes come first, and the bytes below; and only the first of them until all are wanted. */
const MANY_COLUMNS = 40, FIRST_COLUMNS = 15;
const hasMany = map.columnCount > MANY_COLUMNS;
let mostParts = hasMany ? FIRST_COLUMNS : Infinity;

/** Sort key and direction of the totals; null for no sorting. */
let sortedBy = hasMany ? 'bytes' : null, descending = true;

function sorted(totals) {
  if (sortedBy === null) return totals;
  const key = sortedBy === 'share' ? 'bytes' : sortedBy;
  const order = (a, b) => key === 'title' ? a.title.localeCompare(b.title) : (a[key] ?? 0) - (b[key] ?? 0);
  return [...totals].sort(descending ? (a, b) => order(b, a) : order);
}

function totalRow({ bytes, padding, title, colour }, className) {
  const row = element('tr', undefined, className), swatch = element('span', undefined, 'swatch');
  row.append(...[number(bytes), share(bytes), padding === undefined ? '' : number(padding), title]
    .map(text => element('td', text)));
  swatch.style.background = colour ?? 'none';
  if (colour) row.lastChild.prepend(swatch);
  return row;
}

function partsOf(name) {
  if (name === 'columns') {
    return map.totals.byColumn.map(({ bytes, padding, path }, i) =>
      ({ bytes, padding, title: path, colour: shade(hues.get(map.listed[i]), 'data') }));
  }
  return name !== 'dictionaries' ? [] : map.totals.byDictionary.map(({ bytes, padding, column }, i) =>
    ({ bytes, padding, title: `${map.titles[i]} of ${column}`, colour: shade(DICTIONARY_HUE, 'data') }));
}

function fillTotals() {
  const rows = [], used = map.classes.filter(name => map.totals[name] > 0 || partsOf(name).length > 0);
  for (const each of sorted(used.map(name => ({ bytes: map.totals[name], title: name })))) {
    const inside = partsOf(each.title);
    rows.push(totalRow(each, ''));
    rows.push(...sorted(inside).slice(0, mostParts).map(part => totalRow(part, 'part')));
    if (inside.length > mostParts) rows.push(moreRow(inside.length - mostParts));
    const more = ({ columns: map.columnCount, dictionaries: map.dictionaryCount }[each.title] ?? 0) - inside.length;
    if (more > 0 && inside.length <= mostParts) {
      const row = element('tr', undefined, 'part'), cell = element('td', `and ${number(more)} more, none larger`);
      cell.colSpan = 4;
      row.append(cell);
      rows.push(row);
    }
  }
  rows.push(totalRow({ bytes: size, title: map.isCutShort ? 'total read' : 'total' }, ''));
  byId('totals').tBodies[0].replaceChildren(...rows);
  for (const head of byId('totals').tHead.rows[0].cells) {
    const key = head.firstChild.dataset.key;
    head.ariaSort = key !== sortedBy ? 'none' : descending ? 'descending' : 'ascending';
  }
}

function moreRow(n) {
  const row = element('tr', undefined, 'part'), cell = element('td'), button = element('button', `show ${number(n)} more`);
  button.type = 'button';
  button.addEventListener('click', () => { mostParts = Infinity; fillTotals(); });
  cell.colSpan = 4;
  cell.append(button);
  row.append(cell);
  return row;
}

/** The first click on a title sorts largest first, or by name; the second reverses; the third removes the sorting. */
function sortBy(key) {
  const first = key !== 'title';
  if (sortedBy !== key) [sortedBy, descending] = [key, first];
  else if (descending === first) descending = !first;
  else sortedBy = null;
  fillTotals();
}

function legendItem(text, ...colours) {
  const item = element('li'), swatch = element('span', undefined, 'swatch');
  const stops = colours.map((each, i) => `${each} ${100 * i / colours.length}% ${100 * (i + 1) / colours.length}%`);
  swatch.style.background = `linear-gradient(90deg, ${stops})`;
  item.append(swatch, text);
  return item;
}

/** The columns with a hue of their own, and all others as one item. */
function columnItems() {
  const rest = unitBytes.size - hues.size, { paths, columns } = map.columns;
  const items = [...hues].map(([unit, hue]) =>
    legendItem(paths[UNIT === 'field' ? unit : columns.indexOf(unit)], ...ROLES.map(role => shade(hue, role))));
  if (rest > 0) {
    items.push(legendItem(others(rest) + (hues.size > 0 ? '' : ', each less than 1% of the bytes'), shade(undefined, 'data')));
  }
  return items;
}

function fillLegend() {
  byId('legend').replaceChildren(...map.classes.filter(name => map.totals[name] > 0).flatMap(name =>
    name === 'columns' ? columnItems() : legendItem(name, ...name === 'dictionaries'
      ? ROLES.map(role => shade(DICTIONARY_HUE, role)) : [`var(--${name})`])));
  byId('roles').textContent = ROLES.length > 1
    ? `Buffers of a column, from ${dark ? 'light to dark' : 'dark to light'}: ${ROLES.join(', ')}.` : '';
}

function fillWords() {
  showTitle('map', `${map.container}, ${number(size)} bytes${map.isCutShort ? ' read' : ''}, `
    + `${count(number(map.batchCount), 'batch', 'batches')}, `
    + (map.dictionaryBatchCount > 0
      ? `${count(number(map.dictionaryBatchCount), 'dictionary batch', 'dictionary batches')}, ` : '')
    + `waste ${share(map.totals.waste)} (${number(map.totals.waste)} bytes of padding and unreferenced)`
    + (map.totals.overlapping > 0 ? `; ${number(map.totals.overlapping)} bytes claimed more than once` : ''));
  byId('note').textContent = map.note ?? '';
  fillDamage();
  fillBatchSizes();
  byId('end').textContent = map.end ? `${map.end}, ${number(drawn)} of ${number(size)} bytes; the totals include all bytes.` : '';
  byId('batch').append(...batches.slice(0, CHOICES).map((_, index) => choice(index)));
}

function fillDamage() {
  if (map.faults.length === 0) return;
  byId('damage').hidden = false;
  byId('faults').tBodies[0].replaceChildren(...map.faults.map(({ offset, message, text }) => {
    const row = element('tr');
    row.append(...[number(offset), message ?? '', printable(text)].map(each => element('td', each)));
    return row;
  }));
  if (map.moreFaults > 0) byId('salvage').append(`${number(map.moreFaults)} more are not listed. `);
  if (map.complete) byId('salvage').append(map.complete + '. ');
  if (map.salvage) byId('salvage').append('This saves what is complete: ', element('code', printable(map.salvage)));
}

/** The number of batches of each size from the smallest to the largest, in powers of two. */
function histogram(title, { counts, least, most }) {
  const table = element('table'), head = table.createTHead().insertRow(), body = table.createTBody();
  head.append(element('th', title), element('th', 'batches'), element('th'));
  const highest = Math.max(...counts), end = counts.findLastIndex(n => n > 0);
  for (let i = counts.findIndex(n => n > 0); i <= end; i++) {
    const row = body.insertRow(), bar = element('span', undefined, 'count');
    const from = Math.max(2 ** (i - 1), least), to = Math.min(2 ** i - 1, most);
    row.append(element('th', from >= to ? number(to) : `${number(from)}–${number(to)}`),
      element('td', number(counts[i])), element('td'));
    bar.style.width = 100 * counts[i] / highest + '%';
    if (counts[i] > 0) row.lastChild.append(bar);
  }
  return table;
}

function fillBatchSizes() {
  if (!map.batchSizes) return;
  byId('batch-sizes').hidden = false;
  byId('histograms').append(histogram('rows', map.batchSizes.rows), histogram('bytes of the body', map.batchSizes.bytes));
}

function redraw() {
  readColours();
  draw();
  fillRows();
  fillLegend();
  fillTotals();
}

show([['', 'Point at a part, or select it with the keyboard, to see its details here.']]);
fillWords();
if (hasMany || map.note) document.querySelector('main').prepend(byId('note'), byId('damage'), byId('batch-sizes'), byId('sizes'));
redraw();
for (const each of document.querySelectorAll('#totals button')) {
  each.addEventListener('click', () => sortBy(each.dataset.key));
}
addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
