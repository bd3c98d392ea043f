import { describe, expect, it } from 'vitest';
import { createAccessPolicy } from './access-policy.ts';
import { createWhyKeptBack } from './kept-back.ts';

const [NOTEBOOK, ABOVE, NOTE, LIST, BLOCK] = ['b', 'a', 'n', 'l', 'p'].map((letter) => `20260101000000-${letter.repeat(7)}`) as [
  string,
  string,
  string,
  string,
  string,
];

function why(guarded: string, right: 'none' | 'read' = 'read') {
  const titles: Record<string, string> = { [ABOVE]: 'Above', [NOTE]: 'Plan' };
  const routes = {
    blockInfo: async () => ({ box: NOTEBOOK, path: `/${ABOVE}/${NOTE}.sy`, rootID: NOTE, rootTitle: 'Plan' }),
    notebooks: async () => [{ id: NOTEBOOK, name: 'Diary', closed: false, encrypted: false }],
    breadcrumb: async () => [NOTE, LIST, BLOCK].map((id) => ({ id, type: '' })),
    attributesOf: async (ids: readonly string[]) =>
      Object.fromEntries(ids.map((id) => [id, { title: titles[id] ?? '', ...(id === guarded ? { 'custom-ai-access': 'none' } : {}) }])),
  };
  return createWhyKeptBack(routes, createAccessPolicy({ [NOTEBOOK]: right }))(BLOCK, new AbortController().signal);
}

describe('why a block may not be read, for the person who sees it', () => {
  it('names the notebook, the note or one above it that is kept back, or says that it is the block', async () => {
    expect(await why('', 'none')).toEqual({ by: 'notebook', id: NOTEBOOK, name: 'Diary' });
    expect(await why(NOTE)).toEqual({ by: 'note', name: 'Plan' });
    expect(await why(ABOVE)).toEqual({ by: 'note', name: 'Above' });
    expect([await why(BLOCK), await why(LIST)]).toEqual([{ by: 'block' }, { by: 'block' }]);
  });

  it('is nothing where nothing keeps it back, or where SiYuan does not know it', async () => {
    expect(await why('')).toBeUndefined();
    const gone = createWhyKeptBack({ blockInfo: () => Promise.reject(new Error('gone')) } as never, createAccessPolicy());
    expect(await gone(BLOCK, new AbortController().signal)).toBeUndefined();
  });
});
