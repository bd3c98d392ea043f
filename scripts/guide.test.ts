// The guide names what is there: what is in bold is a text of the interface in the language of the page.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const guide = join(root, 'docs/guide');
const LANGUAGES = [
  { folder: guide, texts: 'en_US.json' },
  { folder: join(guide, 'zh'), texts: 'zh_CN.json' },
];
const pagesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.md'));
const read = (folder: string, page: string): string => readFileSync(join(folder, page), 'utf8');
const pages = LANGUAGES.flatMap(({ folder, texts }) => pagesIn(folder).map((page) => ({ folder, page, texts })));

/** Every text of a language, and what stands around the values in it: "Search notes before asking {model}". */
function labelsOf(file: string): ReadonlySet<string> {
  const texts: Record<string, string> = JSON.parse(readFileSync(join(root, 'i18n', file), 'utf8'));
  return new Set(Object.values(texts).flatMap((text) => [text, ...text.split(/\{[^}]*\}/).map((part) => part.trim())]));
}

describe('the guide', () => {
  it('has the same pages, and as many headings, in both languages', () => {
    const shape = ({ folder }: { folder: string }) =>
      pagesIn(folder).map((page) => [
        page,
        read(folder, page).match(/^#+ /gm)?.length,
        read(folder, page).match(/^\|.*\|$/gm)?.length ?? 0,
      ]);
    const [english, chinese] = LANGUAGES.map(shape);
    expect(english?.length).toBeGreaterThanOrEqual(10);
    expect(chinese).toEqual(english);
  });

  it.each(pages)('names only labels of the interface in bold: $texts $page', ({ folder, page, texts }) => {
    const labels = labelsOf(texts);
    const named = [...read(folder, page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label.replace(/\s+/g, ' '));
    expect(named.filter((label) => !labels.has(label))).toEqual([]);
  });

  it.each(LANGUAGES)('leads from its index to every page: $texts', ({ folder }) => {
    const index = read(folder, 'index.md');
    expect(pagesIn(folder).filter((page) => page !== 'index.md' && !index.includes(`(${page})`))).toEqual([]);
  });
});
