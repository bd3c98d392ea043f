/** Markdown as a reader sees it, for a line or a chip: no marks, addresses or attributes. */
export function plainWords(markdown: string): string {
  return markdown
    .replace(/\{: [^{}\n]*\}/g, '')
    .replace(/^[ \t]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)*[ \t]*(?:(?::-*:?|-+:?)[ \t]*)?$/gm, '')
    .replace(/^[ \t]*(?:(#{1,6}|[-*+]|\d+\.|>)[ \t]+)+(\[[ xX]\][ \t]+)?/gm, '')
    .replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '')
    .replace(/^[ \t]*\$\$[ \t]*$/gm, '')
    .replace(/!?\[([^\][]*)\]\([^)]{0,4000}\)/g, '$1')
    .replace(/\(\(\S+ (?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\)\)/g, (_all, one?: string, other?: string) =>
      (one ?? other ?? '').replace(/\\(.)/g, '$1'),
    )
    .replace(/\(\(\d{14}-[0-9a-z]{7}\)\)/g, '')
    .replace(/\(\(\d{14}-[0-9a-z]{7}(?: ["']([^"')]*))?$/, '$1')
    .replace(/(^|[\s\p{P}])#([^\s#][^#\n]{0,60}?)#(?![\w#])/gu, '$1$2')
    .replace(/\*\*|__|~~|==|`/g, '')
    .replace(/(^|[\s(])[*_](?=\S)([^*_\n]+)[*_](?=[\s).,;:!?]|$)/g, '$1$2')
    .replace(/(?:(?<![ \t])[ \t]+)?\|[ \t]*/g, ' ')
    .replace(/^ | $/gm, '')
    .trim();
}

const MIN_STEM = 3;

const RUSSIAN_ENDING = /(?:[аия]ми|[оеыи]го|[оеыи]му|[ыи]ми|[аяыи]х|[ое]в|[оеыия]й|[аяоеыиую][яеюй]|[аяоеыи]м|[аеёиоуыэюяь])$/u;

/** Cuts endings off English and Russian words, and the last long vowel off Katakana; other words are unchanged. */
export function stemOf(word: string): string {
  if (/^[а-яё]{5,}$/u.test(word)) return word.replace(RUSSIAN_ENDING, (ending) => (word.length - ending.length < 4 ? ending : ''));
  if (/^\p{Script=Katakana}[\p{Script=Katakana}ー]{2,}ー$/u.test(word)) return word.slice(0, -1);
  if (word.length <= MIN_STEM || !/^[a-z]+$/.test(word)) return word;
  let stem = word;
  if (/(?:ss|x|z|ch|sh)es$/.test(stem) || (stem.endsWith('ies') && stem.length > 4)) stem = stem.slice(0, -2);
  else if (/[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  const verb = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(stem)?.[1];
  if (verb !== undefined && verb.length >= MIN_STEM) stem = /([^aeiouls])\1$/.test(verb) ? verb.slice(0, -1) : verb;
  return stem.length > MIN_STEM ? stem.replace(/[eyi]$/, '') : stem;
}

/** True for forms of one word in lower case; "not" is not one of "note", though "noting" begins with it, nor "part" of "party". */
export function areForms(one: string, other: string): boolean {
  const stem = stemOf(one);
  if (stemOf(other) !== stem) return false;
  if (one !== stem && other !== stem) return true;
  const ending = (one === stem ? other : one).slice(stem.length);
  return !/^(?:e|es|y|ies)$/.test(ending) || (ending === 'es' && /(?:[sxzo]|ch|sh)$/.test(stem));
}
