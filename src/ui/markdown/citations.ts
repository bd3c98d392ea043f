import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** How a cited block is shown: a link only if code has checked that the block was really read in this chat. */
export type CitationState = 'verified' | 'unverified' | 'pending';

export interface CitationToken extends Tokens.Generic {
  readonly type: 'citation';
  readonly id: string;
  readonly anchor: string;
}

/** SiYuan's own reference syntax: `((id "anchor"))`, `((id 'anchor'))` or a bare `((id))`. */
const CITATION = /^\(\((\d{14}-[0-9a-z]{7})(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))?\s*\)\)/;

/** `raw` with what follows it, where that is the same citation again. */
function repeated(source: string, raw: string, citation: string): string {
  const gap = /^[ \t]*/.exec(source.slice(raw.length, raw.length + 8))?.[0] ?? '';
  return source.startsWith(citation, raw.length + gap.length) ? raw + gap + citation : raw;
}

export const citationExtension: TokenizerAndRendererExtension = {
  name: 'citation',
  level: 'inline',
  start: (source) => source.indexOf('(('),
  tokenizer(source): CitationToken | undefined {
    const found = CITATION.exec(source);
    if (!found?.[1]) return undefined;
    let raw = found[0];
    // Models cite one block for each of its sentences: side by side the same words say it once.
    for (let next = repeated(source, raw, found[0]); next !== raw; next = repeated(source, raw, found[0])) raw = next;
    return { type: 'citation', raw, id: found[1], anchor: found[2] ?? found[3] ?? '' };
  },
};

export function isCitation(token: Tokens.Generic): token is CitationToken {
  return token.type === 'citation' && typeof token.id === 'string' && typeof token.anchor === 'string';
}
