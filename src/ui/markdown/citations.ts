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

export const citationExtension: TokenizerAndRendererExtension = {
  name: 'citation',
  level: 'inline',
  start: (source) => source.indexOf('(('),
  tokenizer(source): CitationToken | undefined {
    const found = CITATION.exec(source);
    if (!found?.[1]) return undefined;
    return { type: 'citation', raw: found[0], id: found[1], anchor: found[2] ?? found[3] ?? '' };
  },
};

export function isCitation(token: Tokens.Generic): token is CitationToken {
  return token.type === 'citation' && typeof token.id === 'string' && typeof token.anchor === 'string';
}
