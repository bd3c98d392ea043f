import { type ChildNode, isTag, isText } from 'domhandler';
import { decodeHTML } from 'entities/decode';
import { freeSigns } from '../blocks/private-signs.ts';
import { marksOf } from './content-rules.ts';

/**
 * Lute writes the text of some marks, of references and of languages into its block DOM unescaped, so that a `<` in the text begins a tag.
 * In that case the text is parsed again with private use characters in place of the signs that Lute would not escape;
 * afterwards they are restored in the parsed DOM, where they are text.
 */
export interface LiteralText {
  readonly markdown: string;
  /** Restores the signs in the node and its descendants. */
  restore(node: ChildNode): void;
}

/** Bare tags that are Markdown themselves, and addresses in angle brackets. */
const MARKDOWN_TAG = /^<(?:\/?(?:u|kbd|sup|sub|b|strong|i|em|s|del|mark)>|br\s*\/?>|(?:https?:\/\/|mailto:)[^\s<>]*>)/i;
const REFERENCE = /&(?=#\d|#x[\da-f]|[a-z])/gi;
const IMAGE_LABEL = /!\[[^\]\n]*\]/g;

const INLINE_CODE = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;

/**
 * Lute removes the bare tags of Markdown from inline code, which leaves it empty. Undefined if the text has no such code, or contains
 * all replacement signs itself.
 */
export function literalCode(markdown: string): LiteralText | undefined {
  const [less] = freeSigns(markdown, 1);
  if (less === undefined) return undefined;
  const hide = (code: string): string =>
    code.replace(/</g, (sign, at: number) => (MARKDOWN_TAG.test(code.slice(at, at + 2000)) ? less : sign));
  const shown = markdown.replace(INLINE_CODE, hide);
  return shown === markdown ? undefined : { markdown: shown, restore: restorer((text) => text.replaceAll(less, '<')) };
}

/** Restores texts and attributes in a node and its descendants; `verbatim` for literal text, as in code. */
function restorer(put: (text: string, verbatim: boolean) => string): LiteralText['restore'] {
  const restore = (node: ChildNode, verbatim: boolean): void => {
    if (isText(node)) node.data = put(node.data, verbatim);
    if (!isTag(node)) return;
    for (const [name, value] of Object.entries(node.attribs)) node.attribs[name] = put(value, name === 'data-content');
    const isCode = marksOf(node.attribs['data-type']).includes('code') || node.attribs['data-type'] === 'NodeCodeBlock';
    for (const child of node.children) restore(child, verbatim || isCode);
  };
  return (node) => restore(node, false);
}

/** @param strict the bare tags of Markdown are text too. Undefined if the text contains all replacement signs itself. */
export function literalText(markdown: string, strict: boolean): LiteralText | undefined {
  const [less, escaped, ampersand, quote] = freeSigns(markdown, 4);
  if (less === undefined || escaped === undefined || ampersand === undefined || quote === undefined) return undefined;
  const shown = markdown
    .replace(IMAGE_LABEL, (label) => label.replaceAll('"', quote))
    .replaceAll('\\<', escaped)
    .replace(INLINE_CODE, (code) => code.replaceAll('<', less))
    .replace(/</g, (sign, at: number, whole: string) => (!strict && MARKDOWN_TAG.test(whole.slice(at, at + 2000)) ? sign : less))
    .replace(REFERENCE, ampersand);
  const put = (text: string, verbatim: boolean): string => {
    const signs = text
      .replaceAll(less, '<')
      .replaceAll(quote, '"')
      .replaceAll(escaped, verbatim ? '\\<' : '<');
    if (verbatim) return signs.replaceAll(ampersand, '&');
    return signs.replace(new RegExp(`${ampersand}(#?\\w+;?)`, 'g'), (_, name: string) => decodeHTML(`&${name}`)).replaceAll(ampersand, '&');
  };
  return { markdown: shown, restore: restorer(put) };
}
