import { diffArrays } from 'diff';
import { escapeHtml, unescapeHtml } from '../markdown/escape.ts';
import type { Atom, RenderedRow } from './rendered-rows.ts';

/** Words of a cell that stay, are removed or added. */
interface Marked {
  readonly mark: 'same' | 'del' | 'ins';
  readonly atoms: readonly Atom[];
  /** The changed targets of references and links among them: ids of blocks and addresses. */
  readonly targets?: readonly string[];
}

/** Renders what is not visible by itself. All functions return HTML with escaped text. */
export interface Draw {
  /** Text; `isRoom`: only white space is added or removed. */
  readonly text: (text: string, isRoom: boolean) => string;
  /** The target of a reference, by the id of its block; the address of a link. */
  readonly target: (target: string) => string;
}

export interface DiffedRow {
  readonly kind: RenderedRow['kind'];
  /** changed: some of its words are marked. */
  readonly change: 'same' | 'removed' | 'added' | 'changed';
  readonly row: RenderedRow;
  readonly cells: readonly (readonly Marked[])[];
}

export type RenderedDiff = DiffedRow | { readonly kind: 'fold'; readonly rows: readonly DiffedRow[] };

/** Two rows with less similarity are two rows, not one that changed. */
const ALIKE = 0.3;
/** Unchanged rows that are shown on each side of a change. */
const CONTEXT = 1;

const atomKey = ({ html, open }: Atom): string => `${open}\u0000${html}`;
const cellKey = (atoms: readonly Atom[]): string => atoms.map(atomKey).join('\u0001');
const rowKey = ({ kind, level, depth, quotes, cells }: RenderedRow): string =>
  [kind, level, depth, quotes, ...cells.map(cellKey)].join('\u0002');
const lengthOf = (cells: readonly (readonly Atom[])[]): number => cells.flat().reduce((sum, { text }) => sum + text.trim().length, 0);

const isSpace = (atoms: readonly Atom[]): boolean => atoms.every(({ text }) => text.trim() === '');

const joinAtoms = (atoms: readonly Atom[]): string => atoms.map(({ text }) => text).join('');
/** The link among the tags around a word, with its attributes: a value may contain what looks like another attribute, but no quote. */
const linkOf = ({ open }: Atom): string | undefined => /<a((?:\s[^\s"=>]+(?:="[^"]*")?)*)>/.exec(open)?.[1];
const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = [...attributes.matchAll(/\s([^\s"=>]+)="([^"]*)"/g)].find(([, each]) => each === name)?.[2];
  return found === undefined ? undefined : unescapeHtml(found);
};

/** Links among these words, each with its own words. */
function linksOf(atoms: readonly Atom[]): readonly { readonly attributes: string; readonly words: string }[] {
  const links: { attributes: string; words: string }[] = [];
  let last: string | undefined;
  for (const atom of atoms) {
    const attributes = linkOf(atom);
    const link = links.at(-1);
    if (attributes !== undefined && attributes === last && link) link.words += atom.text;
    else if (attributes !== undefined) links.push({ attributes, words: atom.text });
    last = attributes;
  }
  return links;
}

/** Ids of the blocks that references among these words lead to. */
const referencesOf = (atoms: readonly Atom[]): readonly string[] => [
  ...new Set(linksOf(atoms).flatMap(({ attributes }) => attributeOf(attributes, 'data-block-id') ?? [])),
];
/** Addresses of links among these words; not one that equals the link's own text. */
const addressesOf = (atoms: readonly Atom[]): readonly string[] => {
  const links = linksOf(atoms).filter(({ attributes }) => attributeOf(attributes, 'data-block-id') === undefined);
  return [
    ...new Set(
      links.flatMap(({ attributes, words }) => {
        const address = attributeOf(attributes, 'title') ?? attributeOf(attributes, 'href') ?? '';
        return address === '' || words.trim() === address ? [] : address;
      }),
    ),
  ];
};

const marked = (mark: 'del' | 'ins', atoms: readonly Atom[]): Marked => ({ mark, atoms, targets: addressesOf(atoms) });
const whole = (row: RenderedRow, change: 'same' | 'removed' | 'added'): DiffedRow => ({
  kind: row.kind,
  change,
  row,
  cells: row.cells.map((atoms) => [change === 'same' ? { mark: 'same', atoms } : marked(change === 'added' ? 'ins' : 'del', atoms)]),
});

/** The targets of old and new words, if they differ. References are shown by their words, unless only the target changes. */
function targetsOf(gone: readonly Atom[], come: readonly Atom[]): (atoms: readonly Atom[]) => readonly string[] {
  const isOther = (all: (atoms: readonly Atom[]) => readonly string[]): boolean => all(gone).join(' ') !== all(come).join(' ');
  const references = joinAtoms(gone) === joinAtoms(come) && isOther(referencesOf);
  const addresses = isOther(addressesOf);
  // New words of a link may say that it leads elsewhere.
  return (atoms) => [...(references ? referencesOf(atoms) : []), ...(addresses || atoms === come ? addressesOf(atoms) : [])];
}

/** Marked words separated only by white space are one mark: two adjacent ones look like two changes. */
function markedWords(before: readonly Atom[], after: readonly Atom[]): readonly Marked[] {
  const parts = diffArrays([...before], [...after], { comparator: (one, other) => atomKey(one) === atomKey(other) });
  const out: Marked[] = [];
  let gone: Atom[] = [];
  let come: Atom[] = [];
  const settle = (): void => {
    const targets = targetsOf(gone, come);
    if (gone.length > 0) out.push({ mark: 'del', atoms: gone, targets: targets(gone) });
    if (come.length > 0) out.push({ mark: 'ins', atoms: come, targets: targets(come) });
    gone = [];
    come = [];
  };
  for (const [index, { value, added, removed }] of parts.entries()) {
    if (removed) gone.push(...value);
    else if (added) come.push(...value);
    else if (isSpace(value) && index < parts.length - 1 && gone.length > 0 && come.length > 0) {
      gone.push(...value);
      come.push(...value);
    } else {
      settle();
      out.push({ mark: 'same', atoms: value });
    }
  }
  settle();
  return out;
}

/** Cell by cell; if the numbers differ, whole cells were added or removed. */
function markedCells(before: RenderedRow['cells'], after: RenderedRow['cells']): readonly (readonly Marked[])[] {
  if (before.length === after.length) return after.map((cell, index) => markedWords(before[index] ?? [], cell));
  const parts = diffArrays([...before], [...after], { comparator: (one, other) => cellKey(one) === cellKey(other) });
  return parts.flatMap(({ value, added, removed }) =>
    value.map((atoms): readonly Marked[] => [added || removed ? marked(added ? 'ins' : 'del', atoms) : { mark: 'same', atoms }]),
  );
}

/** Two rows as one with its changed words marked; undefined if they have too little in common. */
function pairOf(before: RenderedRow, after: RenderedRow): DiffedRow | undefined {
  if (before.kind !== after.kind || before.depth !== after.depth || before.quotes !== after.quotes || before.level !== after.level)
    return undefined;
  const cells = markedCells(before.cells, after.cells);
  const kept = lengthOf(cells.map((parts) => parts.flatMap(({ mark, atoms }) => (mark === 'same' ? atoms : []))));
  if (kept < ALIKE * Math.min(lengthOf(before.cells), lengthOf(after.cells))) return undefined;
  return { kind: after.kind, change: 'changed', row: after, cells };
}

function hunk(removed: readonly RenderedRow[], added: readonly RenderedRow[]): DiffedRow[] {
  const count = Math.max(removed.length, added.length);
  return Array.from({ length: count }, (_, index) => [removed[index], added[index]] as const).flatMap(([before, after]): DiffedRow[] => {
    const pair = before && after ? pairOf(before, after) : undefined;
    if (pair) return [pair];
    const isLevel = before?.kind === 'heading' && after?.kind === 'heading';
    const shown = (row: RenderedRow): RenderedRow => (isLevel ? { ...row, marker: `H${row.level}` } : row);
    return [...(before ? [whole(shown(before), 'removed')] : []), ...(after ? [whole(shown(after), 'added')] : [])];
  });
}

/** Rows far from every change are folded; the header of a table stays visible. */
function folded(rows: readonly DiffedRow[]): readonly RenderedDiff[] {
  const near = (index: number): boolean =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ change }) => change !== 'same');
  const out: RenderedDiff[] = [];
  let hidden: DiffedRow[] = [];
  const settle = (): void => {
    if (hidden.length > 1) out.push({ kind: 'fold', rows: hidden });
    else out.push(...hidden);
    hidden = [];
  };
  for (const [index, each] of rows.entries()) {
    if (!near(index) && each.kind !== 'head') hidden.push(each);
    else {
      settle();
      out.push(each);
    }
  }
  settle();
  return out;
}

/** Rendered rows of one block's change; null: there is nothing before, or after. */
export function renderedDiff(before: readonly RenderedRow[] | null, after: readonly RenderedRow[] | null): readonly RenderedDiff[] {
  if (before === null) return (after ?? []).map((each) => whole(each, 'added'));
  if (after === null) return before.map((each) => whole(each, 'removed'));
  const parts = diffArrays([...before], [...after], { comparator: (one, other) => rowKey(one) === rowKey(other) });
  const rows: DiffedRow[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!part) continue;
    const next = parts[index + 1];
    if (!part.added && !part.removed) rows.push(...part.value.map((each) => whole(each, 'same')));
    else if (part.removed && next?.added) {
      rows.push(...hunk(part.value, next.value));
      index += 1;
    } else rows.push(...(part.removed ? hunk(part.value, []) : hunk([], part.value)));
  }
  return folded(rows);
}

/** Rows of a moved, unchanged block: the first ones, and a fold. */
export function movedRows(rows: readonly RenderedRow[], shown: number): readonly RenderedDiff[] {
  const all = rows.map((each) => whole(each, 'same'));
  if (all.length <= shown + 1) return all;
  return [...all.slice(0, shown), { kind: 'fold', rows: all.slice(shown) }];
}

/** Something of the change is visible; a change of the Markdown only is shown as Markdown. */
export const isRendered = (rows: readonly RenderedDiff[]): boolean => rows.some((each) => each.kind !== 'fold' && each.change !== 'same');

/** Words with the same elements around them share those elements; text is rendered in one piece, as its signs belong together. */
function runsHtml(atoms: readonly Atom[], draw: (text: string) => string): string {
  let html = '';
  let text = '';
  let [open, close] = ['', ''];
  const flush = (): void => {
    html += draw(text);
    text = '';
  };
  for (const atom of atoms) {
    if (atom.open !== open) {
      flush();
      html += close + atom.open;
      [open, close] = [atom.open, atom.close];
    }
    if (atom.html === escapeHtml(atom.text)) text += atom.text;
    else {
      flush();
      html += atom.html;
    }
  }
  flush();
  return html + close;
}

/** Made of sanitised HTML and escaped text. */
export const cellHtml = (cell: readonly Marked[], draw: Draw): string =>
  cell
    .map(({ mark, atoms, targets = [] }) => {
      if (mark === 'same') return runsHtml(atoms, (text) => draw.text(text, false));
      const isRoom = isSpace(atoms);
      const leads = targets.map((target) => `<small class="mg-target"> → ${draw.target(target)}</small>`);
      return `<${mark}>${runsHtml(atoms, (text) => draw.text(text, isRoom))}${leads.join('')}</${mark}>`;
    })
    .join('');
