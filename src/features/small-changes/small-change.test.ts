import { describe, expect, it } from 'vitest';
import type { ChangePlan, PlanOperation } from '../../tools/contract/plans.ts';
import { isInstruction, whyAsk } from './small-change.ts';

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
  ])('is %s', (_what, parts) => expect(whyAsk(plan(parts), NOTES, LIMITS)).toBeUndefined());

  it.each<[string, Partial<ChangePlan>, string]>([
    ['more blocks', { operations: [operation(), operation({ id: 'o2' }), operation({ id: 'o3' })] }, 'blocks'],
    ['more words', one({ after: 'Nobody has seen the lamp burn since the keeper left the tower.' }), 'words'],
    [
      'more words in all, few in each',
      { operations: [operation(), operation({ id: 'o2', after: 'It went out again, to the grief of all.' })] },
      'words',
    ],
    ['more signs of Chinese', one({ before: '灯。', after: '塔上的灯每天晚上都亮着。' }), 'words'],
    ['a deletion', one({ action: 'delete', after: null }), 'deletes'],
    ['text that goes', one({ after: '' }), 'deletes'],
    ['text that goes but for signs', one({ after: '—' }), 'deletes'],
    ['a list that loses items', one({ removes: 1 }), 'deletes'],
    ['a move', one({ action: 'move' }), 'deletes'],
    ['attributes', one({ action: 'set-attributes', attributes: [{ name: 'custom-ai-access', before: null, after: '' }] }), 'more'],
    ['attributes in the text', one({ after: 'The lamp burns.\n{: custom-ai-access=""}' }), 'adds'],
    ['a cell of a database', one({ action: 'set-cell' }), 'more'],
    ['a new note', one({ action: 'create-document', blockType: 'd' }), 'more'],
    ['a new address', one({ after: 'The lamp burns at https://a.example/night.' }), 'adds'],
    ['another address', one({ before: 'See [it](https://a.example) now.', after: 'See [it](https://b.example) now.' }), 'adds'],
    ['an address without a scheme', one({ after: 'The lamp burns at www.a.example all night.' }), 'adds'],
    ['a picture', one({ after: 'The lamp ![](assets/x.png) burns.' }), 'adds'],
    ['a link', one({ after: 'The [lamp](lamp.md) burns.' }), 'adds'],
    ['HTML', one({ after: 'The <b>lamp</b> burns.' }), 'adds'],
    ['an embedded search', one({ after: '{{select * from blocks}} lamp' }), 'adds'],
    ['code', one({ blockType: 'c' }), 'more'],
    ['code in a list', one({ blockType: 'l', before: '- oil', after: '- oil\n  ```mermaid\n  graph TD\n  ```' }), 'adds'],
    ['code in a quote', one({ blockType: 'b', before: '> oil', after: '> oil\n> ~~~\n> x\n> ~~~' }), 'adds'],
    ['a formula', one({ after: 'The lamp burns. $$x$$' }), 'adds'],
    ['where a link leads, at the end', one({ after: 'The lamp burns.\n\n[lamp]: //a.example' }), 'adds'],
    [
      'links that change places',
      one({ before: '[Give](https://a.example) [Take](https://b.example)', after: '[Give](https://b.example) [Take](https://a.example)' }),
      'adds',
    ],
    ['a tag', one({ after: 'The lamp #summarize# burns until dawn.' }), 'adds'],
    ['a formula in a line', one({ after: 'The lamp burns until $\\href{x}{dawn}$.' }), 'adds'],
    ['what is not seen', one({ after: 'The lamp burns until \u202edawn.' }), 'adds'],
    ['more of what is not seen', one({ before: 'The\u200b lamp burns.', after: 'The\u200b lamp\u200b burns.' }), 'adds'],
    ['more signs of Thai', one({ after: 'ประภาคารเปิดไฟทุกคืน' }), 'words'],
    ['one long word', one({ after: `The lamp burns until ${'a'.repeat(400)}.` }), 'words'],
    ['many pictures', one({ after: `The lamp burns ${'🔥'.repeat(100)}` }), 'words'],
    ['many marks', one({ after: `The lamp burns${'!?'.repeat(100)}` }), 'words'],
    ['many lines', one({ after: `The lamp burns${'\n!'.repeat(100)}` }), 'words'],
    ['a widget', one({ blockType: 'widget' }), 'more'],
    ['what a person should see', { notices: [{ code: 'changes-orders', count: 1, personOnly: true }] }, 'remark'],
    ['what the text was adjusted in', { notices: [{ code: 'attribute-dropped', count: 1 }] }, 'remark'],
    ['what Undo restores in part', { undo: { kind: 'partial' } }, 'undo'],
    ['beyond the right', { needsRight: 'write' }, 'remark'],
    ['by a tool for more than text', { tool: 'memory' }, 'more'],
    ['nothing', { operations: [] }, 'more'],
  ])('is not %s', (_what, parts, why) => expect(whyAsk(plan(parts), NOTES, LIMITS)).toBe(why));

  it('counts with those of the same answer', () => {
    const [small, edit] = [plan(), plan({ operations: [operation(), operation({ id: 'o2', before: 'It is', after: 'It was' })] })];
    expect(whyAsk(small, NOTES, { ...LIMITS, words: 4 }, [small])).toBe('words');
    expect(whyAsk(small, NOTES, { ...LIMITS, words: 80 }, [small])).toBeUndefined();
    expect(whyAsk(small, NOTES, { ...LIMITS, words: 80 }, [edit])).toBe('blocks');
  });

  it.each(['web', 'assets', 'files', 'script', 'agents', 'mcp:tracker', ''])('is not in a chat that has results of: %s', (group) =>
    expect(whyAsk(plan(), new Set([...NOTES, group]), LIMITS)).toBe('foreign'),
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
