import { describe, expect, it } from 'vitest';
import { inCreationOrder, loadSampleDocuments, parseSampleDocument } from './documents.ts';
import { sampleNotebooks, seedSampleWorkspace } from './workspace.ts';

type Call = { path: string; body: Record<string, unknown> };

function recordingKernel(answers: (call: Call) => unknown = () => undefined) {
  const calls: Call[] = [];
  let notebooks = 0;
  const post = async (path: string, body: object): Promise<unknown> => {
    const call = { path, body: body as Record<string, unknown> };
    calls.push(call);
    const special = answers(call);
    if (special !== undefined) return special;
    if (path === '/api/notebook/createNotebook') {
      notebooks += 1;
      return { code: 0, msg: '', data: { notebook: { id: `2026112200000${notebooks}-aaaaaaa`, name: call.body.name } } };
    }
    if (path === '/api/filetree/createDocWithMd') return { code: 0, msg: '', data: call.body.id };
    return { code: 0, msg: '', data: null };
  };
  return { calls, post };
}

describe('parseSampleDocument', () => {
  it('splits the body from the document line and finds ids and references', () => {
    const document = parseSampleDocument(
      'N',
      '/A',
      'one\n{: id="20260101000000-aaaaaa1" name="x"}\n\nsee ((20260101000000-bbbbbb1 "b")) ((20260101000000-aaaaaa1 "own"))\n\n' +
        '{: id="20260101000000-aaaaaa0" type="doc" tags="p,q"}\n',
    );
    expect(document).toMatchObject({ id: '20260101000000-aaaaaa0', attributes: { tags: 'p,q' }, defines: ['20260101000000-aaaaaa1'] });
    expect(document.refersTo).toEqual(['20260101000000-bbbbbb1']);
    expect(document.markdown.endsWith('"own"))\n')).toBe(true);
  });

  it('says which file has no document line', () => {
    expect(() => parseSampleDocument('N', '/A', 'text only\n')).toThrow(/sample_without_id: N\/A/);
  });
});

describe('inCreationOrder', () => {
  const document = (path: string, id: string, refersTo: string[] = []) => ({
    ...parseSampleDocument('N', path, `x\n\n{: id="${id}" type="doc"}\n`),
    refersTo,
  });
  it('puts parents and targets first', () => {
    const child = document('/A/B', '20260101000000-aaaaaa1', ['20260101000000-aaaaaa3']);
    const parent = document('/A', '20260101000000-aaaaaa2');
    const target = document('/Z', '20260101000000-aaaaaa3');
    expect(inCreationOrder([child, parent, target]).map((each) => each.path)).toEqual(['/A', '/Z', '/A/B']);
  });
  it('refuses cycles and dangling references', () => {
    const a = document('/A', '20260101000000-aaaaaa1', ['20260101000000-aaaaaa2']);
    const b = document('/B', '20260101000000-aaaaaa2', ['20260101000000-aaaaaa1']);
    expect(() => inCreationOrder([a, b])).toThrow(/sample_cycle/);
    expect(() => inCreationOrder([a])).toThrow(/sample_dangling/);
  });
});

describe('the sample', () => {
  const documents = loadSampleDocuments();

  it('holds about forty documents in the three notebooks, in both languages', () => {
    expect(documents.length).toBeGreaterThanOrEqual(40);
    expect(new Set(documents.map((document) => document.notebook))).toEqual(new Set(sampleNotebooks.map((notebook) => notebook.id)));
    expect(
      documents.filter((document) => /\p{Script=Han}{20}/u.test(document.markdown.replaceAll(/[，。、：；]/g, ''))).length,
    ).toBeGreaterThan(5);
  });

  it('has unique, well-formed ids', () => {
    const ids = documents.flatMap((document) => [document.id, ...document.defines]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^\d{14}-[0-9a-z]{7}$/.test(id))).toBe(true);
  });

  it('answers the questions that the product is shown with, in several documents', () => {
    const mentioning = (words: RegExp) => documents.filter((document) => words.test(document.markdown)).map((document) => document.path);
    expect(mentioning(/spaced repetition/i).length).toBeGreaterThanOrEqual(6);
    expect(mentioning(/间隔重复/).length).toBeGreaterThanOrEqual(3);
    expect(mentioning(/solar storage/i).length).toBeGreaterThanOrEqual(5);
    expect(mentioning(/soil microbes/i).length).toBeGreaterThanOrEqual(3);
    expect(mentioning(/heat island/i).length).toBeGreaterThanOrEqual(4);
  });

  it('has daily notes, but none for 2026-11-22', () => {
    const days = documents.filter((document) => document.path.startsWith('/daily note/'));
    expect(days.length).toBeGreaterThanOrEqual(6);
    expect(days.map((day) => day.path)).not.toContain('/daily note/2026/11/2026-11-22');
    for (const day of days) {
      const stamp = day.path.slice(-10).replaceAll('-', '');
      expect(day.attributes[`custom-dailynote-${stamp}`]).toBe(stamp);
    }
  });

  it('shows every kind of block', () => {
    const all = documents.map((document) => document.markdown).join('\n');
    const kinds = [
      /^- \[x\] /m,
      /^ {2}- /m,
      /^\|.*\|$/m,
      /^```\w+/m,
      /^> /m,
      /^\$\$/m,
      /^\{\{\{col/m,
      /#[\p{L}]+#/u,
      / bookmark="/,
      / memo="/,
      / alias="/,
    ];
    for (const kind of kinds) expect(all).toMatch(kind);
  });
});

describe('seedSampleWorkspace', () => {
  it('creates notebooks, documents in an order whose targets exist, and document attributes', async () => {
    const kernel = recordingKernel();
    const report = await seedSampleWorkspace(kernel.post);
    expect(report.notebooks.map((notebook) => notebook.name)).toEqual(['Research', 'Life', '工作笔记']);
    expect(report.documents).toBe(loadSampleDocuments().length);
    expect(report.skipped).toEqual([]);
    const known = new Set<unknown>();
    for (const { path, body } of kernel.calls) {
      if (path !== '/api/filetree/createDocWithMd') continue;
      const markdown = String(body.markdown);
      known.add(body.id);
      for (const match of markdown.matchAll(/\{: id="([^"]+)"/g)) known.add(match[1]);
      for (const match of markdown.matchAll(/\(\((\d\S+) /g)) expect(known, `${String(body.path)} → ${match[1]}`).toContain(match[1]);
    }
    const attributes = kernel.calls.find((call) => call.path === '/api/attr/setBlockAttrs' && call.body.id === '20260125100000-spacrep');
    expect(attributes?.body.attrs).toMatchObject({ bookmark: 'Talk 3 December', tags: 'learning,overview' });
  });

  it('goes on without icons, and says so', async () => {
    const kernel = recordingKernel(({ path }) =>
      path.endsWith('setNotebookIcon') ? { code: -1, msg: 'not here', data: null } : undefined,
    );
    const report = await seedSampleWorkspace(kernel.post);
    expect(report.skipped).toHaveLength(3);
    expect(report.skipped[0]).toContain('not here');
  });

  it('stops with the reason when a document is refused', async () => {
    const refusing = recordingKernel(({ path }) =>
      path.endsWith('createDocWithMd') ? { code: -1, msg: 'Query notebook failed', data: null } : undefined,
    );
    await expect(seedSampleWorkspace(refusing.post)).rejects.toThrow(/Query notebook failed/);
    const renaming = recordingKernel(({ path }) => (path.endsWith('createDocWithMd') ? { code: 0, msg: '', data: 'other' } : undefined));
    await expect(seedSampleWorkspace(renaming.post)).rejects.toThrow(/got the id other/);
  });
});
