import { decodeHTML } from 'entities/decode';

/** Chains like `&amp;amp;#38;lt;` are long for their content; any other nesting needs several times the text per level. */
const AMPERSANDS = /&(?:(?:amp|#0*38|#x0*26);?)+/gi;
/** Invisible characters. SiYuan's kernel drops some of them from what it stores, which joins their neighbours. */
const INVISIBLE = /(?![\t\n\r])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\ufff9-\uffff‸]/gu;
/** The caret as SiYuan's editor writes it, and the sign that it uses for a line break inside attributes. */
const CARET = /<wbr[^<>]*>/gi;
const ESCAPED_NEWLINE = /_esc_newline_/g;
const MOST_ROUNDS = 64;

function repeated(text: string, step: (text: string) => string): string {
  let now = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = step(now);
    if (next === now) return now;
    now = next;
  }
  // Text that does not reach a fixed point counts as markup in every rule.
  return `${now}<!`;
}

const decodeOnce = (text: string): string => (text.includes('&') ? decodeHTML(text.replace(AMPERSANDS, '&')) : text);

/** Without invisible characters; line breaks and tabs stay. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The text that SiYuan's kernel and page may make of it: references decoded repeatedly, dropped signs left out. All rules check this. */
export function normaliseText(text: string): string {
  return repeated(text, (each) => withoutInvisible(decodeOnce(each)).replace(CARET, '').replace(ESCAPED_NEWLINE, '\n'));
}

/** Percent-encoding decoded repeatedly; invalid UTF-8 stays. */
export function percentDecoded(text: string): string {
  return repeated(text, (each) =>
    each.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
      }
    }),
  );
}

/** Both decodings, repeated until nothing changes. */
export const fullyDecoded = (text: string): string => repeated(text, (each) => percentDecoded(normaliseText(each)));

/** Where a browser starts to parse a tag, a comment or a declaration. */
export const TAG_START = /<[a-z/!?]/i;

/** True if the text, put into a page as HTML by SiYuan, would be more than text. */
export const holdsMarkup = (text: string): boolean => TAG_START.test(normaliseText(text));

/** The same for text that SiYuan shows on hover or in a menu (titles, memos, names): it is percent-decoded there. */
export const holdsShownMarkup = (text: string): boolean => TAG_START.test(fullyDecoded(text));

const REFERENCE = /&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);?/gi;

/** True if a text contains a character reference: a browser would show something other than what is written. */
export const holdsReference = (text: string): boolean =>
  (withoutInvisible(text).match(REFERENCE) ?? []).some((reference) => decodeHTML(reference) !== reference);

/** True where a character reference begins at the start of the text. */
export function startsReference(text: string): boolean {
  const near = withoutInvisible(text.slice(0, 80));
  return near.startsWith('&') && holdsReference(near.slice(0, 1 + near.slice(1).search(/[^#\w]|$/)));
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '"': '”' };

/** A label that stays text wherever it is put, in attributes too: what could be markup is replaced by look-alike signs. */
export function plainLabel(text: string): string {
  const normal = holdsShownMarkup(text) ? fullyDecoded(text) : normaliseText(text);
  return normal.replace(/\s+/g, ' ').replace(/[<>"]/g, (sign) => LOOK_ALIKES[sign] ?? '');
}
