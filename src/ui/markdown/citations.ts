import type { TokenizerAndRendererExtension, TokenizerExtension, Tokens } from 'marked';

/** How a cited block is shown: a link only if the block was really read in this chat, as checked by code. */
export type CitationState = 'verified' | 'unverified' | 'pending';

export interface CitationToken extends Tokens.Generic {
  readonly type: 'citation';
  readonly id: string;
  readonly anchor: string;
}

/** SiYuan's own reference syntax: `((id "anchor"))`, `((id 'anchor'))` or a bare `((id))`; with `#p3` behind the id a page of the PDF in that block. */
const CITATION = /^\(\((\d{14}-[0-9a-z]{7}(?:#p\d{1,6})?)(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))?\s*\)\)/;

/** `raw` with the following text, if that is the same citation again. */
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
    // Models cite one block for each of its sentences: adjacent citations with the same words are shown once.
    for (let next = repeated(source, raw, found[0]); next !== raw; next = repeated(source, raw, found[0])) raw = next;
    return { type: 'citation', raw, id: found[1], anchor: found[2] ?? found[3] ?? '' };
  },
};

interface BareId extends Tokens.Generic {
  readonly id: string;
}

const BARE = /^(\d{14}-[0-9a-z]{7}(?:#p\d{1,6})?)(?![\w/-]|\.\w)/;

/** An id in a sentence, which means nothing to a person. In a path or an address it is not an id. */
export const bareId: TokenizerExtension = {
  name: 'bareId',
  level: 'inline',
  start: (source) => /\d{14}-[0-9a-z]{7}/.exec(source)?.index,
  tokenizer(source, tokens): BareId | undefined {
    if (this.lexer.state.inLink || /[\w/=.-]$/.test(tokens.at(-1)?.raw ?? '')) return undefined;
    const [raw, id] = BARE.exec(source) ?? [];
    return raw === undefined || id === undefined ? undefined : { type: 'bareId', raw, id };
  },
};

export const isBareId = (token: Tokens.Generic): token is BareId => token.type === 'bareId' && typeof token.id === 'string';

export function isCitation(token: Tokens.Generic): token is CitationToken {
  return token.type === 'citation' && typeof token.id === 'string' && typeof token.anchor === 'string';
}
