import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import chinese from '../../i18n/zh_CN.json';
import { createTranslate, fillText } from './ports/i18n.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** The panel, and the wiring that speaks through the same dictionary. */
const sources = readdirSync(join(here, '..'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(svelte|ts)$/.test(path) && /^(ui|wiring)\//.test(path) && !/\.test\.ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(here, '..', path), 'utf8') }));
/** The panel's keys have a dot; those without are the start script's. */
const panelKeys = Object.keys(english).filter((key) => key.includes('.'));
const prefixes = new Set(panelKeys.map((key) => key.slice(0, key.indexOf('.'))));

describe('texts', () => {
  it('has the same keys in both languages, in the same order, none of them empty', () => {
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    expect([...Object.values(english), ...Object.values(chinese)].filter((text) => text.trim() === '')).toEqual([]);
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

  it('takes the same variables in both languages', () => {
    const names = (text: string): string[] => [...new Set(Array.from(text.matchAll(/\{(\w+)/g), (found) => found[1] ?? ''))].sort();
    const different = Object.entries(english).filter(([key, text]) => {
      const other: Record<string, string> = chinese;
      // A language may leave a variable out of a text, never ask for one that is not given.
      return names(other[key] ?? '').some((name) => !names(text).includes(name));
    });
    expect(different.map(([key]) => key)).toEqual([]);
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
  });

  it('leaves alone what is not given, and does not fill a value again', () => {
    expect(fillText('{a} and {b}', { a: '{b}' })).toBe('{b} and {b}');
  });

  it('shows the key where there is no text', () => {
    expect(createTranslate(english)('action.send')).toBe('Send');
    expect(createTranslate({})('action.send')).toBe('action.send');
  });
});
