/** Control characters that text does not contain; a file full of them is a program or an archive. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

function markedEncoding([first, second]: Uint8Array): readonly string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  return first === 0xfe && second === 0xff ? ['utf-16be'] : [];
}

function decodedAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null; // Not this encoding.
  }
}

/** The signs that Chinese and Japanese texts have most, in both ways of writing. */
const COMMON = new Set(
  '的一是不了人我在有他这為为之大来來以个個中上们們到说說国國和地也子时時道出而要于於就下得可你年生自会會那后後能对對着著事其里裡所去行过過家十用发發天如然作方成者多日都三小军軍二无無同么麼经經法当當起与與好看学學进進种種将將还還分此心前面又定见見只主没沒公从從文本字語语書书第章件明今月水木金土火東东京高新長长間间部手名女男目口力工入電电車车見話话食出国会社員员問问題题' +
    '，。、；：？！“”「」《》（）・ー',
);
const HANGUL = new Set(
  '이다는에하고을의가지기한도사로은자리어나시대서해인요안녕세회일정부수아그있를것들게과만라보여주전제성상장스트원생각없',
);
const MIXED = /[A-Za-z][ß-öø-ÿ]|[ß-öø-ÿÀ-ÖØ-Þ][a-z]|[\u00a0-\u00bf€]/u;
const KANA = /[\u3041-\u30f6]/u;

/** From 0 to 1: the share of signs beyond ASCII that are usual in a text of this script. */
type Likely = (text: string) => number;

const share = (text: string, isLikely: (sign: string) => boolean): number => {
  const signs = [...text.slice(0, 20_000)].filter((sign) => sign > '\u007f');
  return signs.length === 0 ? 0 : signs.filter(isLikely).length / signs.length;
};
/** Words are of one script, and in small letters but for the first. */
const inWords =
  (word: RegExp): Likely =>
  (text) => {
    const words = text.slice(0, 20_000).match(/(?<![\p{L}\p{M}])[\p{L}\p{M}]*\P{ASCII}[\p{L}\p{M}]*/gu) ?? [];
    return words.length === 0 ? 0 : words.filter((each) => word.test(each)).length / words.length;
  };
const isHan: Likely = (text) => share(text, (sign) => COMMON.has(sign));
const LATIN = /^(?:\p{Lu}?[a-zß-öø-ÿœšž]*|[A-ZÀ-ÖØ-Þ]{2,}|[\u00a0-\u00bf‘’“”–—…€„‚•™]+)$/u;

/** Encodings of files without a mark, with their evidence. Scripts of the same bytes: the likelier one counts. */
const ENCODINGS: readonly (readonly [string, Likely])[] = [
  ['gb18030', isHan],
  ['big5', isHan],
  ['shift_jis', (text) => share(text, (sign) => KANA.test(sign) || COMMON.has(sign))],
  ['euc-kr', (text) => share(text, (sign) => HANGUL.has(sign))],
  ['windows-1251', inWords(/^(?:[А-ЯЁІЇЄҐ]?[а-яёіїєґ]+|[А-ЯЁІЇЄҐ]+|[«»„“”–—№\u00a0]+)$/u)],
  // Words with ASCII letters beside those that have marks.
  ['windows-1252', (text) => (/[a-z]/i.test(text) ? inWords(LATIN)(text) * (MIXED.test(text) ? 1 : 0.3) : 0)],
];

export interface DecodedText {
  readonly text: string;
  /** The encoding, where it was guessed by the words: they can be others. */
  readonly guessed?: string;
}

/** UTF-8, UTF-16 with its mark, or the likeliest of older encodings; null if it is not text. */
export function decodedText(bytes: Uint8Array): DecodedText | null {
  for (const encoding of [...markedEncoding(bytes), 'utf-8']) {
    const text = decodedAs(encoding, bytes);
    if (text !== null) return BINARY.test(text) ? null : { text };
  }
  const readings = ENCODINGS.flatMap(([guessed, likely]) => {
    const text = decodedAs(guessed, bytes);
    return text === null || BINARY.test(text) ? [] : [{ text, guessed, score: likely(text) }];
  });
  const [first, ...others] = readings;
  if (!first) return null;
  const { text, guessed } = others.reduce((best, each) => (each.score > best.score ? each : best), first);
  return { text, guessed };
}

/** A text with a line that states a guess, for whoever reads the text. */
export const statedText = ({ text, guessed }: DecodedText): string =>
  guessed === undefined
    ? text
    : `[The file does not name its encoding; it was read as ${guessed}. Tell the user if words look wrong.]\n${text}`;

export const decodeText = (bytes: Uint8Array): string | null => decodedText(bytes)?.text ?? null;
