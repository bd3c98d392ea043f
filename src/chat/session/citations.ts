/** Plain text, or a citation `((id "anchor"))` or `[anchor](siyuan://blocks/id)`; `known`: the id, or its page `id#p3`, was read. */
export type CitationPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'citation'; readonly id: string; readonly anchor: string; readonly known: boolean };

// SiYuan's block reference: static "anchor" or dynamic 'anchor', or none.
const CITATION =
  /\(\((\d{14}-[0-9a-z]{7}(?:#p\d{1,6})?)(?:\s+(?:"([^"\n]*)"|'([^'\n]*)'))?\s*\)\)|\[([^\][\n]*)\]\(siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})[^)\s]*\)/g;
// Not in a path or an address, where none is shown.
const BARE = /(?<![\w/=.-])\d{14}-[0-9a-z]{7}(?:#p\d{1,6})?(?![\w/-]|\.\w)/g;
// Fenced blocks (an unclosed one runs to the end) and inline code: ids in them are shown, not cited.
const CODE = /((?:^|\n)(`{3,}|~{3,})[^\n]*(?:[\s\S]*?\n\2[`~]*(?=\n|$)|[\s\S]*$)|`[^`\n]+`)/g;

function* proseAndCode(text: string): Generator<{ readonly code: boolean; readonly text: string }> {
  let end = 0;
  for (const found of text.matchAll(CODE)) {
    yield { code: false, text: text.slice(end, found.index) };
    yield { code: true, text: found[0] };
    end = found.index + found[0].length;
  }
  yield { code: false, text: text.slice(end) };
}

export function splitCitations(text: string, known: ReadonlySet<string>): readonly CitationPart[] {
  const parts: CitationPart[] = [];
  const addText = (piece: string): void => {
    const last = parts.at(-1);
    if (!piece) return;
    if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + piece };
    else parts.push({ kind: 'text', text: piece });
  };
  for (const run of proseAndCode(text)) {
    let end = 0;
    for (const found of run.code ? [] : run.text.matchAll(CITATION)) {
      const [whole, reference, double, single, words, linked] = found;
      const id = reference ?? linked ?? '';
      addText(run.text.slice(end, found.index));
      parts.push({ kind: 'citation', id, anchor: double ?? single ?? words?.replaceAll('"', "'") ?? '', known: known.has(id) });
      end = found.index + whole.length;
    }
    addText(run.text.slice(end));
  }
  return parts;
}

/** Ids that an answer cites and that were read in this chat, in order of first use; and those that were not. */
export function checkCitations(
  text: string,
  known: ReadonlySet<string>,
): { readonly cited: readonly string[]; readonly unknown: readonly string[] } {
  const cited = new Set<string>();
  const unknown = new Set<string>();
  for (const part of splitCitations(text, known)) {
    if (part.kind === 'citation') (part.known ? cited : unknown).add(part.id);
    else
      for (const run of proseAndCode(part.text))
        for (const [id] of run.code ? [] : run.text.matchAll(BARE)) if (known.has(id)) cited.add(id);
  }
  return { cited: [...cited], unknown: [...unknown] };
}

/** As SiYuan knows it: without the page, which then is a word of its anchor. */
function reference({ id, anchor }: { readonly id: string; readonly anchor: string }): string {
  const [block = '', page] = id.split('#p');
  const words = page === undefined || anchor.includes(page) ? anchor : `${anchor} (p. ${page})`.trimStart();
  return `((${block}${words ? ` "${words}"` : ''}))`;
}

/** Replaces unknown citations by their anchor text: in a note they would be dangling references. */
export function dropUnknownCitations(text: string, known: ReadonlySet<string>): string {
  return splitCitations(text, known)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.known ? reference(part) : part.anchor;
    })
    .join('');
}
