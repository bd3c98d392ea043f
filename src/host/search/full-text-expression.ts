import { findTerm, type TextRange } from '../reading/snippet.ts';
import { mayContain, writtenForms } from '../sql/written-forms.ts';

/** A parsed full-text query. Texts are not empty and contain nothing that SiYuan's search would drop. */
export type FullTextExpression =
  /** `first`: only at the beginning of a text. */
  | { readonly kind: 'phrase'; readonly text: string; readonly first: boolean }
  /** All of them, with at most `distance` characters between the first and the last. */
  | { readonly kind: 'near'; readonly texts: readonly string[]; readonly distance: number }
  | { readonly kind: 'columns'; readonly columns: readonly string[]; readonly inside: FullTextExpression }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FullTextExpression[] }
  | { readonly kind: 'not'; readonly left: FullTextExpression; readonly right: FullTextExpression };

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Prints FTS5 syntax with quoted terms and written-out operators; still to be quoted for a statement, or escaped for a route. */
export function printFullText(node: FullTextExpression): string {
  switch (node.kind) {
    case 'phrase':
      return `${node.first ? '^ ' : ''}${phrase(node.text)}`;
    case 'near':
      return `NEAR(${node.texts.map(phrase).join(' ')}, ${node.distance})`;
    case 'columns':
      return `{${node.columns.join(' ')}} : (${printFullText(node.inside)})`;
    case 'not':
      return `(${printFullText(node.left)} NOT ${printFullText(node.right)})`;
    default:
      return `(${node.parts.map(printFullText).join(node.kind === 'and' ? ' AND ' : ' OR ')})`;
  }
}

/** The texts that a match can contain, without those after NOT. */
export function termsOf(node: FullTextExpression): readonly string[] {
  switch (node.kind) {
    case 'phrase':
      return [node.text];
    case 'near':
      return node.texts;
    case 'columns':
      return termsOf(node.inside);
    case 'not':
      return termsOf(node.left);
    default:
      return node.parts.flatMap(termsOf);
  }
}

/** With each phrase in the forms in which it may be written. */
export function withForms(node: FullTextExpression): FullTextExpression {
  switch (node.kind) {
    case 'phrase': {
      const parts = writtenForms(node.text).map((text) => ({ ...node, text }));
      return parts.length > 1 ? { kind: 'or', parts } : node;
    }
    case 'near':
      return node;
    case 'columns':
      return { ...node, inside: withForms(node.inside) };
    case 'not':
      return { ...node, left: withForms(node.left), right: withForms(node.right) };
    default:
      return { ...node, parts: node.parts.map(withForms) };
  }
}

/** The columns of the index that are searched. */
export const COLUMNS: readonly string[] = ['content', 'name', 'alias', 'memo', 'tag'];

const together = (columns: readonly string[]): string => `(${columns.join(" || ' ' || ")})`;

/** An SQL condition that holds for each row which it matches, in whatever signs; it may hold for more. */
export function mayMatch(node: FullTextExpression, columns = COLUMNS): string {
  switch (node.kind) {
    case 'phrase':
      return mayContain(together(columns), node.text);
    case 'near':
      return node.texts.map((text) => mayContain(together(columns), text)).join(' AND ');
    case 'columns':
      return mayMatch(node.inside, node.columns);
    case 'not':
      return mayMatch(node.left, columns);
    default:
      return `(${node.parts.map((part) => mayMatch(part, columns)).join(node.kind === 'and' ? ' AND ' : ' OR ')})`;
  }
}

const excludes = (node: FullTextExpression): boolean =>
  node.kind === 'not' ||
  (node.kind === 'columns' && excludes(node.inside)) ||
  ((node.kind === 'and' || node.kind === 'or') && node.parts.some(excludes));

/** With NOT only of what a block shows: where SiYuan searches attributes, what is left out would tell which words are in ours. */
export const withoutAttributes = (node: FullTextExpression): FullTextExpression =>
  excludes(node) ? { kind: 'columns', columns: COLUMNS, inside: node } : node;

/** The maximum number of occurrences of one NEAR term that are compared. */
const MAX_PLACES = 200;

function termRanges(text: string, term: string): readonly TextRange[] {
  const places: TextRange[] = [];
  for (let from = 0; from < text.length && places.length < MAX_PLACES; ) {
    const found = findTerm(text.slice(from), [term]);
    if (!found) break;
    places.push({ start: from + found.start, end: from + found.end });
    from += found.start + 1;
  }
  return places;
}

function isNear(text: string, terms: readonly string[], distance: number): boolean {
  const places = terms.map((term) => termRanges(text, term));
  return places.flat().some((first) => {
    const nearest = places.map((of) => (of.includes(first) ? first : of.find(({ start }) => start >= first.start)));
    return nearest.every((place) => place && place.start - first.end <= distance);
  });
}

/** Tells if it matches a text, as the full-text index stores it. The column of the text is not known here. */
export function matchesFullText(node: FullTextExpression, text: string): boolean {
  switch (node.kind) {
    case 'phrase': {
      const found = findTerm(text, [node.text]);
      return found !== undefined && (!node.first || found.start === 0);
    }
    case 'near':
      return isNear(text, node.texts, node.distance);
    case 'columns':
      return matchesFullText(node.inside, text);
    case 'not':
      return matchesFullText(node.left, text) && !matchesFullText(node.right, text);
    case 'and':
      return node.parts.every((part) => matchesFullText(part, text));
    case 'or':
      return node.parts.some((part) => matchesFullText(part, text));
  }
}
