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

/** Reads one question by rules; never guesses: what fits no rule is `help`. */
export function readIntent(text: string): Intent {
  const words = ownWords(text);
  return languageOf(words) === 'zh' ? readChinese(words) : readEnglish(words);
}
