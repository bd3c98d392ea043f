import { describe, expect, it } from 'vitest';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import { isInstruction, isSmall } from './small-change.ts';

const LIMITS = { blocks: 2, words: 8 };
const NOTES = new Set(['search', 'documents', 'blocks', 'vars', 'basic']);

const operation = (parts: Partial<PlanOperation> = {}): PlanOperation => ({
  ...{ id: 'o1', action: 'update', blockId: 'b1', blockType: 'p', requires: [] },
  ...{ before: 'The lamp burns all night.', after: 'The lamp burns until dawn.' },
  ...parts,
});
const plan = (parts: Partial<ChangePlan> = {}): ChangePlan => ({
  ...{ id: 'p', tool: 'edit_block', notebook: { id: 'n', name: 'Life' }, document: { id: 'd', title: 'Lamp', path: '/Sea/Lamp' } },
  ...{ operations: [operation()], anchorId: null, undo: { kind: 'exact' }, notices: [] },
  ...parts,
});
const one = (parts: Partial<PlanOperation>): Partial<ChangePlan> => ({ operations: [operation(parts)] });

describe('a small change', () => {
  it.each<[string, Partial<ChangePlan>]>([
    ['words in a paragraph', {}],
    ['a new paragraph', one({ action: 'insert', before: null, after: 'The keeper is new.' })],
    ['a list item', one({ blockType: 'i', before: '- oil', after: '- oil and wicks' })],
    ['as many blocks as are allowed', { operations: [operation(), operation({ id: 'o2' })] }],
    ['a link that was there', one({ before: 'See [it](https://a.example) now.', after: 'See [it](https://a.example) later.' })],
    ['a reference to a block', one({ after: "The ((20260412093012-abc1234 'lamp')) burns until dawn." })],
    ['prices', one({ before: 'It costs $5 or $6 now.', after: 'It costs $5 or $7 now.' })],
    ['a number of a thing', one({ after: 'The lamp #3 burns until dawn.' })],
    ['what is not seen and was there', one({ before: 'The\u00a0lamp burns all night.', after: 'The\u00a0lamp burns.' })],
    ['a picture sign', one({ after: 'The lamp burns until dawn 👩‍🚒.' })],
    ['Chinese', one({ before: '塔上的灯每天亮着。', after: '塔上的灯每晚亮着。' })],
  ])('is %s', (_what, parts) => expect(isSmall(plan(parts), NOTES, LIMITS)).toBe(true));

  it.each<[string, Partial<ChangePlan>]>([
    ['more blocks', { operations: [operation(), operation({ id: 'o2' }), operation({ id: 'o3' })] }],
    ['more words', one({ after: 'Nobody has seen the lamp burn since the keeper left the tower.' })],
    [
      'more words in all, few in each',
      { operations: [operation(), operation({ id: 'o2', after: 'It went out again, to the grief of all.' })] },
    ],
    ['more signs of Chinese', one({ before: '灯。', after: '塔上的灯每天晚上都亮着。' })],
    ['a deletion', one({ action: 'delete', after: null })],
    ['text that goes', one({ after: '' })],
    ['text that goes but for signs', one({ after: '—' })],
    ['a list that loses items', one({ removes: 1 })],
    ['a move', one({ action: 'move' })],
    ['attributes', one({ action: 'set-attributes', attributes: [{ name: 'custom-ai-access', before: null, after: '' }] })],
    ['attributes in the text', one({ after: 'The lamp burns.\n{: custom-ai-access=""}' })],
    ['a cell of a database', one({ action: 'set-cell' })],
    ['a new note', one({ action: 'create-document', blockType: 'd' })],
    ['a new address', one({ after: 'The lamp burns at https://a.example/night.' })],
    ['another address', one({ before: 'See [it](https://a.example) now.', after: 'See [it](https://b.example) now.' })],
    ['an address without a scheme', one({ after: 'The lamp burns at www.a.example all night.' })],
    ['a picture', one({ after: 'The lamp ![](assets/x.png) burns.' })],
    ['a link', one({ after: 'The [lamp](lamp.md) burns.' })],
    ['HTML', one({ after: 'The <b>lamp</b> burns.' })],
    ['an embedded search', one({ after: '{{select * from blocks}} lamp' })],
    ['code', one({ blockType: 'c' })],
    ['code in a list', one({ blockType: 'l', before: '- oil', after: '- oil\n  ```mermaid\n  graph TD\n  ```' })],
    ['code in a quote', one({ blockType: 'b', before: '> oil', after: '> oil\n> ~~~\n> x\n> ~~~' })],
    ['a formula', one({ after: 'The lamp burns. $$x$$' })],
    ['where a link leads, at the end', one({ after: 'The lamp burns.\n\n[lamp]: //a.example' })],
    [
      'links that change places',
      one({ before: '[Give](https://a.example) [Take](https://b.example)', after: '[Give](https://b.example) [Take](https://a.example)' }),
    ],
    ['a tag', one({ after: 'The lamp #summarize# burns until dawn.' })],
    ['a formula in a line', one({ after: 'The lamp burns until $\\href{x}{dawn}$.' })],
    ['what is not seen', one({ after: 'The lamp burns until \u202edawn.' })],
    ['more of what is not seen', one({ before: 'The\u200b lamp burns.', after: 'The\u200b lamp\u200b burns.' })],
    ['more signs of Thai', one({ after: 'ประภาคารเปิดไฟทุกคืน' })],
    ['one long word', one({ after: `The lamp burns until ${'a'.repeat(400)}.` })],
    ['many pictures', one({ after: `The lamp burns ${'🔥'.repeat(100)}` })],
    ['many marks', one({ after: `The lamp burns${'!?'.repeat(100)}` })],
    ['many lines', one({ after: `The lamp burns${'\n!'.repeat(100)}` })],
    ['a widget', one({ blockType: 'widget' })],
    ['what a person should see', { notices: [{ code: 'changes-orders', count: 1, personOnly: true }] }],
    ['what the text was adjusted in', { notices: [{ code: 'attribute-dropped', count: 1 }] }],
    ['what Undo restores in part', { undo: { kind: 'partial' } }],
    ['beyond the right', { needsRight: 'write' }],
    ['by a tool for more than text', { tool: 'memory' }],
    ['nothing', { operations: [] }],
  ])('is not %s', (_what, parts) => expect(isSmall(plan(parts), NOTES, LIMITS)).toBe(false));

  it('counts with those of the same answer', () => {
    const [small, edit] = [plan(), plan({ operations: [operation(), operation({ id: 'o2', before: 'It is', after: 'It was' })] })];
    expect(isSmall(small, NOTES, { ...LIMITS, words: 4 }, [small])).toBe(false);
    expect(isSmall(small, NOTES, { ...LIMITS, words: 80 }, [small])).toBe(true);
    expect(isSmall(small, NOTES, { ...LIMITS, words: 80 }, [edit])).toBe(false);
  });

  it.each(['web', 'assets', 'files', 'script', 'agents', 'mcp:tracker', ''])('is not in a chat that has results of: %s', (group) =>
    expect(isSmall(plan(), new Set([...NOTES, group]), LIMITS)).toBe(false),
  );
});

describe('a note that models follow', () => {
  const at = (path: string, notebook = 'n') => ({
    blockInfo: async () => [{ document: { id: 's', title: 'Skills', path }, notebook: { id: notebook, name: '' } } as never],
  });
  const signal = new AbortController().signal;
  const is = (notes: Parameters<typeof isInstruction>[2]) => isInstruction(plan(), 's', notes, signal);

  it('is the one of the skills and all below it', async () => {
    expect([await is(at('/Sea')), await is(at('/Sea/Lamp'))]).toEqual([true, true]);
    expect([await is(at('/Se')), await is(at('/Sea/Lamp/Oil')), await is(at('/Sea', 'other'))]).toEqual([false, false, false]);
  });

  it('may be any where that cannot be read', async () => {
    expect(await is({ blockInfo: async () => [] })).toBe(true);
    expect(await is({ blockInfo: async () => [{ id: 's', code: 'not_found', message: '', next: '' } as never] })).toBe(true);
  });
});
