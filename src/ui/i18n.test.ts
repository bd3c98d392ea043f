import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import { createTranslate, fillText } from './ports/i18n.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** The panel, and what else has words of the same dictionary. */
const sources = readdirSync(join(here, '..'), { recursive: true, encoding: 'utf8' })
  .filter(
    (path) => /\.(svelte|ts)$/.test(path) && /^(ui|app|features|tools\/plan-words)\//.test(path) && !/\.test\.ts$|\/testing\//.test(path),
  )
  .map((path) => ({ path, text: readFileSync(join(here, '..', path), 'utf8') }));
/** The panel's keys have a dot; those without are the start script's. */
const panelKeys = Object.keys(english).filter((key) => key.includes('.'));

type Texts = Readonly<Record<string, string>>;
/** Every file of i18n/: a language is one file, and nothing here names it. */
const folder = join(here, '../../i18n');
const languages = readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Texts] as const);
const written = languages.flatMap(([file, texts]) => Object.entries(texts).map(([key, text]) => ({ file, key, text })));
const HAN = /\p{Script=Han}/u;

/** The sign at the end, as English has it. */
function endOf(text: string): string {
  const last = text.trimEnd().at(-1) ?? '';
  return { '。': '.', '：': ':', '？': '?', '！': '!' }[last] ?? (/[.:?!…]/.test(last) ? last : '');
}

/** Characters of a two-byte encoding: the Han characters that a country's own standard has. */
function charactersOf(encoding: 'gbk' | 'big5', leads: readonly [first: number, last: number]): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = encoding === 'gbk' ? 0xa1 : 0x40; trail <= 0xfe; trail++) if (trail < 0x7f || trail > 0xa0) bytes.push(lead, trail);
  return new Set(new TextDecoder(encoding).decode(new Uint8Array(bytes)));
}

const prefixes = new Set(panelKeys.map((key) => key.slice(0, key.indexOf('.'))));

describe('texts', () => {
  it.each(languages)('has the same keys in every language, in the same order, none of them empty: %s', (_file, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    expect(Object.keys(texts).filter((key) => texts[key]?.trim() === '')).toEqual([]);
  });

  it('has every key that the panel uses, and uses every key that it has', () => {
    const used = new Set<string>();
    for (const { text } of sources) {
      // `notice.${problem}`: every key that begins so.
      for (const [, head = ''] of text.matchAll(/\bt\(`((?:[a-z]+\.)+)\$\{/g))
        for (const key of panelKeys) if (key.startsWith(head)) used.add(key);
      for (const [, key = ''] of text.matchAll(/['"]([a-z]+\.[\w.-]+)['"]/gi))
        if (prefixes.has(key.slice(0, key.indexOf('.')))) used.add(key);
    }
    expect(used.size).toBeGreaterThan(150);
    expect([...used].filter((key) => !(key in english))).toEqual([]);
    expect(panelKeys.filter((key) => !used.has(key))).toEqual([]);
  });

  it.each(languages)('takes the same variables in every language: %s', (_file, other) => {
    const names = (text: string): string[] => [...new Set(Array.from(text.matchAll(/\{(\w+)/g), (found) => found[1] ?? ''))].sort();
    const different = Object.entries(english).filter(([key, text]) => {
      // A language may leave a variable out of a text, never ask for one that is not given.
      return names(other[key] ?? '').some((name) => !names(text).includes(name));
    });
    expect(different.map(([key]) => key)).toEqual([]);
  });

  it('ends a text alike in every language: a sentence with a full stop, a label without', () => {
    // What the model was told is the text of a failed call in English; a verb before a title has a colon in Chinese.
    const own = /^(callError|doing)\.|^error\.kernel_refused$/;
    const texts: Texts = english;
    expect(written.filter(({ key, text }) => !own.test(key) && endOf(text) !== endOf(texts[key] ?? ''))).toEqual([]);
  });

  it('has a form for one of whatever is counted in English', () => {
    const things = 'answers|blocks|calls|changes|chats|characters|entries|matches|messages|notebooks|notes|steps|tokens|tools|times';
    const fixed = new RegExp(`\\{\\w+\\} (?:\\w+ )?(?:${things})\\b`);
    // Only said of several, or of a number that is never small.
    const several =
      /^(plan\.(\w+Many|\w+Notes|moveNotesTo)|work\.unwrittenEach|approval\.several|tool\.inPart|tool\.inPartWords|attach\.cut)$/;
    const large = /^(mark\.context|learnt\.window|toolFit\.(hint|overHint))$/;
    const texts = Object.entries(english).filter(([key]) => !several.test(key) && !large.test(key));
    expect(texts.filter(([, text]) => fixed.test(text))).toEqual([]);
  });

  it('sets Chinese as Chinese is set', () => {
    const chinese = written.filter(({ text }) => HAN.test(text));
    const odd = [
      /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u,
      /\p{Script=Han}\s*[,;:?!()"']|[,;:?!()"']\s*\p{Script=Han}/u,
      /[，。：；、？！（）《》「」]\s|\s[，。：；、？！（）《》「」]/u,
      /\.\.\.|。。/u,
    ];
    expect(chinese.filter(({ text }) => odd.some((rule) => rule.test(text)))).toEqual([]);
  });

  it.each([
    ['zh_CN.json', charactersOf('gbk', [0xb0, 0xf7])],
    ['zh_CHT.json', charactersOf('big5', [0xa4, 0xf9])],
  ] as const)('has only characters of its own script in %s', (name, known) => {
    expect(known.size).toBeGreaterThan(6000);
    const others = written.filter(({ file, text }) => file === name && [...text].some((sign) => HAN.test(sign) && !known.has(sign)));
    expect(others).toEqual([]);
  });

  it('keeps the English names that people and tests rely on', () => {
    const t = createTranslate(english);
    expect([
      t('panel.name'),
      t('composer.name'),
      t('action.send'),
      t('action.stop'),
      t('action.newChat'),
      t('page.chats'),
      t('page.settings'),
      t('page.tools'),
      t('action.approve'),
      t('action.reject'),
      t('action.allowChat'),
      t('action.undo'),
      t('approval.name'),
    ]).toEqual([
      'Marginalia',
      'Message',
      'Send',
      'Stop',
      'New chat',
      'Chats',
      'Settings',
      'Tools',
      'Approve',
      'Reject',
      'Allow for this chat',
      'Undo',
      'Approval',
    ]);
  });

  it('writes no text of its own beside the dictionary', () => {
    const visible = sources
      .filter(({ path }) => path.endsWith('.svelte'))
      .flatMap(({ path, text }) => {
        const markup = text.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<!--[\s\S]*?-->/g, '');
        const attributes = Array.from(markup.matchAll(/(?:aria-label|title|placeholder)="([A-Za-z][^"]*)"/g), (found) => found[1] ?? '');
        return attributes.filter((value) => !/^(https:|gpt-)/.test(value)).map((value) => `${path}: ${value}`);
      });
    expect(visible).toEqual([]);
  });
});

describe('fillText', () => {
  it('fills variables and picks the form for a number', () => {
    expect(fillText('{n} {n|note|notes} in {place}', { n: 1, place: 'Apollo' })).toBe('1 note in Apollo');
    expect(fillText('{n} {n|note|notes}', { n: 0 })).toBe('0 notes');
    expect(fillText('searched {n|once|twice|# times}', { n: 2 })).toBe('searched twice');
    expect(fillText('searched {n|once|twice|# times}', { n: 5 })).toBe('searched 5 times');
    expect(fillText('{n|# token|# tokens}', { n: 1.5 })).toBe('1.5 tokens');
  });

  it('sets no space after a short number of Chinese', () => {
    expect(fillText('{n} 个词元', { n: '2.4万' })).toBe('2.4万个词元');
    expect(fillText('{n} 个词元，{name} 太大', { n: 950, name: '报告' })).toBe('950 个词元，报告 太大');
  });

  it('leaves alone what is not given, and does not fill a value again', () => {
    expect(fillText('{a} and {b}', { a: '{b}' })).toBe('{b} and {b}');
  });

  it('shows the key where there is no text', () => {
    expect(createTranslate(english)('action.send')).toBe('Send');
    expect(createTranslate({})('action.send')).toBe('action.send');
  });
});
