import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { stemOf } from '../../tools/util/plain-words.ts';

/** Words that questions are made of: English, and Chinese in both ways to write it, as `Intl.Segmenter` cuts it. */
const ENGLISH =
  'a about after all also am an and any are as at be because been before being between both but by can could did do does doing each few for ' +
  'from had has have having he her here him his how i if in into is it its many me more most much my no nor not of on only or other our out ' +
  'over own same she should so some such than that the their them then there these they this those to too under up us very was we were what ' +
  'when where which while who whom whose why will with would you your don doesn didn isn aren wasn weren won ll re ve ' +
  'please say says said tell tells told';
const CHINESE =
  '的 了 是 在 和 与 及 或 有 被 把 对 于 从 到 由 为 以 之 其 这 那 哪 个 些 谁 多少 几 吗 呢 吧 啊 我 你 他 她 它 也 都 就 而 但 并 等 会 能 要 所 地 得 着 过 ' +
  '让 使 请 还 又 很 最 更 什么 哪些 哪个 哪里 哪儿 哪位 哪一 怎么 怎样 如何 为什么 为何 何时 何 我们 你们 他们 她们 它们 这个 那个 这些 那些 一个 一种 一些 ' +
  '时候 什么时候 可以 没有 不 是否 之一 关于 因为 所以 如果 以及 并且 或者 叫 叫做 说 告诉 请问 一下 有没有 ' +
  '與 對 於 從 為 這 個 誰 幾 嗎 並 會 過 讓 請 還 什麼 哪個 哪裡 哪兒 怎麼 怎樣 為什麼 為何 何時 我們 你們 他們 她們 它們 這個 那個 這些 一個 一種 ' +
  '時候 什麼時候 沒有 關於 因為 並且 說 告訴 請問 有沒有';

const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(' '));

/** Those of several Chinese characters, longest first: for questions whose words are not separated. */
const CHINESE_STOP_WORDS = new RegExp(
  CHINESE.split(' ')
    .filter((word) => word.length > 1)
    .sort((one, other) => other.length - one.length)
    .join('|'),
  'gu',
);

const HERE = '(?:the|my|our|your|these) (?:user )?(?:guide|manual|docs|documentation|notes?|notebooks?)';
const HERE_CHINESE = '(?:我的?|我们的?|用户|使用)?(?:笔记本?|指南|手册|文档|筆記本?|手冊|文檔)(?:里面?|裡面?|中|上)';
/** What asks for an answer and is no part of what is asked about, in even form: "what does the guide say about", "帮我找一下". */
const REQUESTS = new RegExp(
  `\\b(?:(?:what|where) )?(?:(?:do|does|did) )?${HERE} (?:says?|tells?|mentions?)(?: me| us)?\\b|\\b(?:according to|in|from) ${HERE}\\b|` +
    '\\b(?:tell|show|give|find) (?:me|us)\\b|\\bi (?:want|need|would like|d like) to (?:know|find|see)\\b|' +
    `${HERE_CHINESE}(?:是?怎[么麼])?(?:[说說写寫讲講记記](?:[了过過的])?|提到)?|[帮幫](?:我|忙)?(?:[找查看]|搜索)|我?想(?:知道|了解|瞭解)`,
  'gu',
);

/** A word of a question, or two characters of a longer word in scripts without spaces. */
export interface QueryWord {
  /** In even form (`evenForm`), as all of these. */
  readonly text: string;
  /** The common beginning of its forms: "studi", "study" and "studies" have "stud". */
  readonly stem: string;
  /** The typed word that this is, or is part of. */
  readonly typed: string;
  /** Two characters that are only adjacent in the question, or one character of a word: it ranks passages but finds none. */
  readonly isHint?: true;
}

/** Written without spaces: a word of more than two characters is searched by its pairs, since another text may split it elsewhere. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;
/** Names with signs that word segmentation would lose: C++, C#, F#. */
const SIGNED = /(?<![\p{Script=Latin}\p{N}])[\p{Script=Latin}\p{N}]+[+#]+/gu;
const TAG = /(?<![\p{Script=Latin}\p{N}+#])#([^#\s][^#\n]*)#/gu;
const LETTERS = /[\p{Script=Han}\p{Script=Hangul}]+|(?:(?![\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+/gu;
const UNSPACED_RUNS = /[\p{Script=Han}\p{Script=Hangul}]+/gu;
/** Each costs a search of the index. */
const MOST_WORDS = 24;

const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('zh', { granularity: 'word' }) : null;

/** Words of a text in order. Older WebViews lack Intl.Segmenter: there Chinese is one run of characters, which is split into pairs. */
export function wordsIn(text: string, cut: Intl.Segmenter | null = segmenter): readonly string[] {
  const untagged = text.replaceAll(TAG, ' $1 ');
  const signed = [...untagged.matchAll(SIGNED)].map(([name]) => name);
  const rest = untagged.replaceAll(SIGNED, ' ');
  const found = cut
    ? Array.from(cut.segment(rest)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
    : [...rest.matchAll(LETTERS)].map(([word]) => word);
  // The part of "season's" and "l'histoire" that is separate from the apostrophe.
  return [...signed, ...found.flatMap((word) => word.split(/['’]/u)).filter((word) => word !== '')];
}

const isCharacter = (word: string | undefined): boolean => word !== undefined && UNSPACED.test(word) && [...word].length === 1;

/** The segmenter splits an unknown name into single characters: they are joined again. Stop words end it. */
function joinCharacters(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const isMore = isCharacter(word) && isCharacter(words[index - 1]) && !STOP_WORDS.has(word) && !STOP_WORDS.has(words[index - 1] ?? '');
    if (isMore) joined.push((joined.pop() ?? '') + word);
    else joined.push(word);
  }
  return joined;
}

const pairsOf = (word: string): readonly string[] => {
  const characters = [...word];
  return characters.length <= 2 ? [word] : characters.slice(0, -1).map((character, index) => character + characters[index + 1]);
};

/** A single letter occurs in every word. */
const saysMuch = (word: string): boolean => !STOP_WORDS.has(word) && (word.length > 1 || UNSPACED.test(word));

/** Content words of a text, in even form and in order; stop words only if there are no others. */
export function contentWords(text: string, cut: Intl.Segmenter | null = segmenter): readonly string[] {
  const all = joinCharacters(wordsIn(evenForm(text), cut));
  const content = all.filter(saysMuch);
  return content.length > 0 ? content : all;
}

/** The content words of a question, each once and in order, up to a maximum; hints come last. Stop words only if there is nothing else. */
export function queryWords(query: string, cut: Intl.Segmenter | null = segmenter, most = MOST_WORDS): readonly QueryWord[] {
  const typedText = evenForm(query);
  const rest = typedText.replaceAll(REQUESTS, ' ');
  const text = wordsIn(rest, cut).some(saysMuch) ? rest : typedText;
  const words = contentWords(text, cut).flatMap((typed) =>
    (UNSPACED.test(typed) ? pairsOf(typed) : [typed]).map((part) => ({ text: part, stem: stemOf(part), typed })),
  );
  const found = new Map<string, QueryWord>(words.slice(0, most).map((word) => [word.stem, word]));
  // In "叫什么" neither "叫什" nor "什" has a meaning.
  const runs = [...text.replaceAll(CHINESE_STOP_WORDS, ' ').matchAll(UNSPACED_RUNS)].map(([run]) => run);
  for (const part of [...runs.flatMap(pairsOf), ...runs.flatMap((run) => [...run])]) {
    if (!found.has(part) && !STOP_WORDS.has(part)) found.set(part, { text: part, stem: part, typed: part, isHint: true });
  }
  return [...found.values()];
}
