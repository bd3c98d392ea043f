import type { TokenizerAndRendererExtension, Tokens } from 'marked';

const START = /https?:\/\/|www\./i;
const SCHEME = /^(?:https?:\/\/|www\.)/i;
/** Names may contain letters of every script; no punctuation except that of addresses. */
const AUTHORITY = /^(?:[\p{L}\p{M}\p{N}\-._~%:@]|\[[\da-f:.]+\])+/iu;
/** Chinese and other punctuation ends an address; the dots inside of names do not. */
const REST = /^[/?#](?:[\p{L}\p{M}\p{N}·・]|[!#$%&'()+,\-./:;=?@[\]_~{}^])*/u;
/** A name that is directly followed by words without a blank: `example.com查看`. */
const GLUED = /(?:^|[.:])[a-z\d-]*[a-z\d](?=[^!-~])/giu;
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const ENTITY = /&[a-z\d]+;$/i;

const countOf = (text: string, char: string): number => text.split(char).length - 1;

/** Without what belongs to the sentence: marks at the end, and brackets that open before it. */
function withoutEnd(address: string): string {
  let end = address;
  for (;;) {
    const last = end.slice(-1);
    const opener = PAIRS[last];
    const isOver = opener === undefined ? /[?!.,:;'_~&]/.test(last) : countOf(end, last) > countOf(end, opener);
    if (!isOver) return end;
    end = last === ';' && ENTITY.test(end) ? end.replace(ENTITY, '') : end.slice(0, -1);
  }
}

function addressAt(source: string): string | undefined {
  const scheme = SCHEME.exec(source)?.[0];
  if (scheme === undefined) return undefined;
  const authority = AUTHORITY.exec(source.slice(scheme.length))?.[0] ?? '';
  const glued = [...authority.matchAll(GLUED)].at(-1);
  const isGlued = glued !== undefined && !/[.@]/.test(authority.slice(glued.index + glued[0].length));
  const name = isGlued ? authority.slice(0, glued.index + glued[0].length) : authority;
  if (!/[\p{L}\p{N}]/u.test(name)) return undefined;
  const rest = isGlued ? '' : (REST.exec(source.slice(scheme.length + name.length))?.[0] ?? '');
  const struck = rest.indexOf('~~');
  const address = withoutEnd(scheme + name + (struck < 0 ? rest : rest.slice(0, struck)));
  return address.length > scheme.length ? address : undefined;
}

/** Plain addresses in a text. One that begins inside a word or a link is text. */
export const bareAddresses: TokenizerAndRendererExtension = {
  name: 'bareAddress',
  level: 'inline',
  start: (source) => START.exec(source)?.index,
  tokenizer(source, tokens): Tokens.Link | undefined {
    if (this.lexer.state.inLink || /[A-Za-z\d.@/-]$/.test(tokens.at(-1)?.raw ?? '')) return undefined;
    const address = addressAt(source);
    if (address === undefined) return undefined;
    const href = /^www/i.test(address) ? `http://${address}` : address;
    return { type: 'link', raw: address, href, title: null, text: address, tokens: [{ type: 'text', raw: address, text: address }] };
  },
};
