import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.md', ':!devhost/sample'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)));

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gmu)].map(([, heading = '']) => heading);
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(anchors);
}

describe('links between the pages, and from them to the source', () => {
  it.each(pages)('lead somewhere: %s', (page) => {
    // What a tool answered is shown as it is.
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gmu, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      if (/^\w+:/u.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const path = file === '' ? join(root, page) : join(root, dirname(page), file);
      return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).has(anchor));
    });
    expect(dead).toEqual([]);
  });

  it('lead from the source to a heading of a page', () => {
    const cited = execFileSync('git', ['grep', '-hoE', 'docs/[a-z/-]+\\.md#[a-z0-9-]+', '--', 'src', 'devhost', 'tests', 'scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const dead = cited
      .split('\n')
      .filter(Boolean)
      .filter((link) => {
        const [file = '', anchor = ''] = link.split('#');
        return !existsSync(join(root, file)) || !anchorsOf(join(root, file)).has(anchor);
      });
    expect(dead).toEqual([]);
  });
});
