import { readChinese } from './intents-chinese.ts';
import { readEnglish } from './intents-english.ts';
import type { Intent, Language } from './types.ts';

/** A question in English may name a note in Chinese: then it is one that the English rules know. */
export function languageOf(text: string): Language {
  if (!/\p{Script=Han}/u.test(text)) return 'en';
  const words = ownWords(text);
  return /^[a-z]/i.test(words) && readEnglish(words).kind !== 'help' ? 'en' : 'zh';
}

/** The user's own words: blocks that the host adds around them (contexts, hints) are cut off. */
export function ownWords(text: string): string {
  return text
    .replaceAll(/<([A-Za-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .trim();
}

/** “Look through the note Inbox and propose where each item belongs”, as the form of an order suggests it. */
const SORT = /look through (?:the |my )?notes? ["']?([^"'.\n]+?)["']? and propose where|查看["「《]?([^"」》\n]+?)["」》]?(?:笔记|筆記)/iu;

/** Reads one question by rules; never guesses: what fits no rule is `help`. */
export function readIntent(text: string): Intent {
  const words = ownWords(text);
  const sorted = SORT.exec(words);
  if (sorted) return { kind: 'sort', document: (sorted[1] ?? sorted[2] ?? '').trim() };
  return languageOf(words) === 'zh' ? readChinese(words) : readEnglish(words);
}
