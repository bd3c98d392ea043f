import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderToolsDoc } from './tools-doc.ts';

describe('docs/tools.md', () => {
  it('is what the code says (npm run tools-doc)', async () => {
    const page = await renderToolsDoc();
    expect(readFileSync(join(dirname(import.meta.dirname), 'docs', 'tools.md'), 'utf8')).toBe(page);
    expect(await renderToolsDoc()).toBe(page);
  });

  it('has for every tool its arguments, its gate and a call with its result', async () => {
    const sections = readFileSync(join(dirname(import.meta.dirname), 'docs', 'tools.md'), 'utf8')
      .split(/^### /mu)
      .slice(1);
    expect(sections.length).toBeGreaterThan(30);
    const lacking = sections.filter(
      (section) =>
        !/^(?:\| argument|No arguments)/mu.test(section) ||
        !/^- .*Permission: /mu.test(section) ||
        !/```json\n.+\n```\n\n`{3,}text\n/u.test(section),
    );
    expect(lacking.map((section) => section.split('\n')[0])).toEqual([]);
  });
});
