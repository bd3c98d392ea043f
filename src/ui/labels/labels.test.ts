import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import type { AnswerSegment, ToolCallView } from '../../chat/view/view.ts';
import type { ChangePlan, PlanOperation, PlanPosition } from '../../tools/contract/plans.ts';
import { noticeSentence, operationLabel, overlookedChange, planSentence, undoSentence } from '../../tools/plan-words/plan-labels.ts';
import { type SentencePart, sentenceText } from '../../tools/plan-words/sentence-parts.ts';
import { createTranslate } from '../ports/i18n.ts';
import { aroundTitle, duration, gapAfter, localeOf, moment, running, tokens, when } from './format.ts';
import { notebookRightName, rightsClauses, rightsLabel } from './rights-labels.ts';
import { argumentInShort, groupName, titleRead, toolName } from './tool-labels.ts';
import { hasWritten, unwrittenChanges, unwrittenLabel, workLabel } from './work-labels.ts';

const t = createTranslate(english);
const zh = createTranslate(chinese);

let clock = 0;

/** Each call begins long after the one before it. */
function call(tool: string, args: ToolCallView['args'], patch: Partial<ToolCallView> = {}): AnswerSegment {
  clock += 100_000;
  return {
    kind: 'call',
    call: { callId: `${tool}-${JSON.stringify(args)}`, tool, args, status: 'success', durationMs: 1000, started: clock, ...patch },
  };
}

describe('the line of work', () => {
  const segments = [
    call('search_notes', { query: 'a' }),
    call('search_notes', { query: 'b' }),
    call('read_doc', { id: 'one' }),
    call('read_doc', { id: 'one', start: 50 }),
    call('read_doc', { path: '/two' }, { durationMs: 200 }),
  ];

  it('counts what was done: a note that was read twice is one note', () => {
    expect(workLabel(segments, t)).toBe('Read 2 notes · searched twice · 4.2 s');
    expect(workLabel(segments, zh)).toBe('读了 2 篇笔记 · 搜索了 2 次 · 4.2 秒');
  });

  it('says apart what failed, was rejected or was cut off', () => {
    const rest = [
      call('search_notes', {}, { status: 'result_rejected' }),
      call('read_doc', { id: 'x' }, { status: 'error' }),
      call('list_docs', {}, { status: 'interrupted', durationMs: 0 }),
    ];
    expect(workLabel(rest, t)).toBe('1 rejected · 1 cut off · 1 failed · 2.0 s');
  });

  it('says writes first, with the notes that they went to, each once', () => {
    const into = (documentId: string, title: string) => ({ wrote: { documentId, title, blockIds: ['b'] } });
    const calls = [
      call('read_doc', { id: 'one' }),
      call('edit_block', { id: 'a' }, into('d1', 'Apollo')),
      call('insert_blocks', { anchor: 'a' }, into('d1', 'Apollo')),
      call('daily_note', { op: 'append' }, into('d2', '')),
      call('manage_notebook', { op: 'rename' }, into('', 'Work')),
    ];
    expect(workLabel(calls, t)).toBe('Wrote into Apollo, a note · wrote once · read 1 note · 1.0 s');
    expect(workLabel(calls, zh)).toBe('写入了 Apollo、一篇笔记 · 写入了 1 次 · 读了 1 篇笔记 · 1.0 秒');
  });

  it('says what was deleted, never that it was written into', () => {
    const gone = (title: string) => ({ wrote: { documentId: 'd1', title, blockIds: [] } });
    expect(workLabel([call('delete_doc', { ids: ['d1'] }, gone('Apollo'))], t)).toBe('Deleted Apollo');
    expect(workLabel([call('delete_doc', { ids: ['d1', 'd2'] }, gone('Apollo'))], t)).toBe('Deleted 2 notes');
    const both = [
      call('edit_block', { id: 'a' }, { wrote: { documentId: 'd2', title: 'Moon', blockIds: [] } }),
      call('delete_doc', { ids: ['d1'] }, gone('')),
    ];
    expect(workLabel(both, t)).toBe('Wrote into Moon · deleted 1 note');
    expect(workLabel(both, zh)).toBe('写入了 Moon · 删除了 1 篇笔记');
    expect(workLabel([call('delete_doc', { ids: ['d1'] }, { status: 'execution_rejected' })], t)).toBe('1 step');
    const blocks = call('delete_blocks', { ids: ['b'] }, gone('Apollo'));
    expect(workLabel([blocks], t)).toBe('Deleted parts of Apollo');
    expect(workLabel([blocks], zh)).toBe('删除了 Apollo 中的内容');
    expect(workLabel([blocks, call('insert_blocks', { anchor: 'a' }, gone('Apollo'))], t)).toBe('Wrote into Apollo');
  });

  it('counts notes, not calls: what is read alone, among others and in parts is one note', () => {
    const several = { items: [{ id: 'one', start: 0, end: 9 }, { id: 'one', start: 10 }, { path: '/Log' }] };
    expect(workLabel([call('read_doc', { id: 'one' }), call('read_docs', several)], t)).toMatch(/^Read 2 notes · /);
  });

  it('tells how long the tools worked: two at once do not take twice as long, and the wait for an approval is no work', () => {
    const read = (started: number) => call('read_doc', { id: 'one' }, { started, durationMs: 2000 });
    expect(workLabel([read(0), read(500), read(10_000)], t)).toBe('Read 1 note · 4.5 s');
    const approved = call(
      'edit_block',
      { id: 'a' },
      { started: 20_000, durationMs: 60_000, wrote: { documentId: 'd', title: 'Apollo', blockIds: [] } },
    );
    expect(workLabel([read(0), approved], t)).toBe('Wrote into Apollo · read 1 note · 2.0 s');
  });

  const unwritten = (...segments: AnswerSegment[]): string => {
    const found = unwrittenChanges(segments, t);
    return found ? unwrittenLabel(found, t) : '';
  };

  it('says in the open which changes are not in the notes, and why', () => {
    const dead = {
      status: 'error',
      error: { code: 'kernel_unreachable', message: 'SiYuan is not responding', next: 'try again later' },
    } as const;
    expect(unwritten(call('edit_block', { id: 'a' }, dead))).toBe('1 change was not written. SiYuan is not responding.');
    expect(unwritten(call('edit_block', { id: 'a' }, { status: 'execution_rejected' }))).toBe('1 change was not written: you rejected it.');
    expect(
      unwritten(
        call('edit_block', {}, dead),
        call('insert_blocks', {}, { status: 'unknown', error: { code: 'outcome_unknown', message: 'it broke off', next: 'look' } }),
      ),
    ).toBe('1 change was not written. It is not known whether 1 change was written. Check the note before you try again.');
    expect(unwritten(call('read_doc', { id: 'a' }, dead), call('edit_block', { id: 'a' }))).toBe('');
    // Several reasons are one sentence.
    const rejected = call('edit_block', { id: 'b' }, { status: 'execution_rejected' });
    expect(unwritten(call('edit_block', { id: 'a' }, dead), rejected)).toBe('2 changes were not written: 1 failed, 1 rejected.');
  });

  it('calls a change that the user stopped no failure, and knows whether anything was written', () => {
    const stopped = call(
      'edit_block',
      { id: 'a' },
      { status: 'aborted', error: { code: 'aborted', message: 'the call was stopped while it waited for approval', next: 'ask' } },
    );
    expect(unwritten(stopped)).toBe('1 change was not written: you stopped it.');
    expect(unwrittenChanges([stopped], t)).toMatchObject({ failed: 0, unknown: 0, stopped: 1 });
    expect(hasWritten([stopped, call('read_doc', { id: 'a' })])).toBe(false);
    expect(hasWritten([stopped, call('insert_blocks', {})])).toBe(true);
  });

  it('is silent about a change that a later try made, that stood already, or that was made before the program ended', () => {
    const stale = { status: 'error', error: { code: 'stale', message: 'it was changed', next: 'read again' } } as const;
    const tried = call('edit_block', { id: 'a', expectHash: '1', edits: [] }, stale);
    expect(unwritten(tried, call('edit_block', { id: 'a', expectHash: '2', edits: [] }))).toBe('');
    expect(unwritten(tried, call('edit_block', { id: 'b', expectHash: '2', edits: [] }))).toContain('1 change was not written.');
    expect(
      unwritten(call('edit_block', { id: 'a' }, { status: 'error', error: { code: 'no_change', message: 'as asked', next: 'go on' } })),
    ).toBe('');
    expect(unwritten(call('edit_block', {}, { status: 'interrupted', wrote: { documentId: 'd', title: '', blockIds: [] } }))).toBe('');
  });

  it('counts questions apart, answered or skipped, without the time that a person thought', () => {
    const asked = [call('ask_user', { question: 'a' }, { durationMs: 60_000 }), call('ask_user', { question: 'b' }, { status: 'error' })];
    expect(workLabel([call('read_doc', { id: 'one' }), ...asked], t)).toBe('Read 1 note · asked you twice · 1.0 s');
  });

  it('counts appending to the daily note as writing, and says nothing without calls', () => {
    expect(workLabel([call('daily_note', { op: 'append' })], t)).toBe('Wrote once');
    expect(workLabel([{ kind: 'text', text: 'Hello' }], t)).toBe('');
  });
});

function plan(operations: readonly Partial<PlanOperation>[], patch: Partial<ChangePlan> = {}): ChangePlan {
  return {
    id: 'p',
    tool: 'edit_block',
    notebook: { id: 'n', name: 'Projects' },
    document: { id: 'd', title: 'Apollo', path: '/Apollo' },
    operations: operations.map((each, index) => ({
      id: `${index}`,
      action: 'insert',
      blockId: 'b',
      blockType: 'p',
      before: null,
      after: 'x',
      requires: [],
      ...each,
    })),
    anchorId: null,
    undo: { kind: 'exact' },
    notices: [],
    ...patch,
  };
}

describe('a plan in words', () => {
  /** The note apart from the words. */
  const drawn = (part: SentencePart): string => {
    if (typeof part === 'string') return part;
    return part.isSubject ? `*${sentenceText([part])}*` : sentenceText([part]);
  };
  const said = (changes: readonly Partial<PlanOperation>[], translate = t, patch: Partial<ChangePlan> = {}): string =>
    planSentence(plan(changes, patch), translate).map(drawn).join('');

  it('says what will happen, with the note apart', () => {
    expect(said([{ action: 'update' }, {}, {}])).toBe('Change 1 block and add 2 in *Apollo*');
    expect(said([{}])).toBe('Add 1 block to *Apollo*');
    expect(said([{ action: 'delete' }, { action: 'move' }, { action: 'update' }, {}])).toBe(
      'Change 1 block, add 1, move 1 and delete 1 in *Apollo*',
    );
    expect(said([{ action: 'create-document' }, {}, {}])).toBe('Create the note *Apollo* with 2 blocks in Projects');
    expect(said([{ action: 'create-document', path: { before: null, after: ['Old', 'Apollo'] } }])).toBe(
      'Create the note *Apollo* in Projects › Old',
    );
  });

  it('names a database and the note that it is in, once where both have one name', () => {
    const cells = { action: 'set-cell', cell: { row: 'r', column: 'c' } } as const;
    const inBoard = [
      { ...cells, database: 'Board' },
      { ...cells, database: 'Board' },
    ];
    expect(said(inBoard)).toBe('Set 2 cells in “*Board*” · *Apollo*');
    expect(said(inBoard, zh)).toBe('在“*Board*”中设置 2 个单元格 · 《*Apollo*》');
    expect(said([{ ...cells, database: 'Apollo' }])).toBe('Set 1 cell in “*Apollo*”');
    expect(said([{ ...cells, database: '' }])).toBe('Set 1 cell in “*Apollo*”');
  });

  it('counts new rows whole, and names options that are made for them', () => {
    const row = (id: string) => ({ id, action: 'add-row', cell: { row: id, column: '' }, database: 'Books' }) as const;
    const option = { id: 'o', action: 'add-option', cell: { row: '', column: 'Kind' }, database: 'Books' } as const;
    const cell = { action: 'set-cell', cell: { row: 'a', column: 'Kind' }, database: 'Books', requires: ['a', 'o'] } as const;
    expect(said([row('a'), option, cell, row('b')])).toBe('Add 2 rows to “*Books*” (1 new option) · *Apollo*');
    expect(said([row('a'), option, cell, row('b')], zh)).toBe('在“*Books*”中添加 2 行（新增 1 个选项） · 《*Apollo*》');
    expect(said([option, { ...cell, requires: ['o'] }])).toBe('Set 1 cell in “*Books*” (1 new option) · *Apollo*');
  });

  it('says what happens to notes and notebooks as wholes', () => {
    const whole = (patch: Partial<PlanOperation>, translate = t): string =>
      said([{ blockType: 'd', before: null, after: null, ...patch }], translate);
    const path = (before: string[] | null, after: string[] | null): Pick<PlanOperation, 'path'> => ({ path: { before, after } });
    expect(whole({ action: 'rename-document', ...path(['Work', 'Apollo'], ['Work', 'Artemis']) })).toBe('Rename *Apollo* to “Artemis”');
    expect(whole({ action: 'move-document', ...path(['Projects', 'Apollo'], ['Projects', 'Old', 'Apollo']) })).toBe(
      'Move *Apollo* to Projects › Old',
    );
    expect(whole({ action: 'duplicate-document', ...path(['Apollo'], ['Apollo 2']) })).toBe('Duplicate *Apollo*');
    expect(whole({ action: 'delete-document', ...path(['Apollo'], null) })).toBe('Delete the note *Apollo*');
    expect(whole({ action: 'create-notebook', ...path(null, ['Garden']) })).toBe('Create the notebook “Garden”');
    expect(whole({ action: 'rename-notebook', ...path(['Projects'], ['Work']) })).toBe('Rename the notebook “Projects” to “Work”');
    expect(whole({ action: 'remove-notebook', ...path(['Projects'], null) })).toBe('Delete the notebook “Projects” with all its notes');
    expect(whole({ action: 'write-file', after: 'text', to: 'Apollo.md' })).toBe('Save *Apollo* as the file “Apollo.md”');
    expect(whole({ action: 'rename-document', ...path(['甲'], ['乙']) }, zh)).toBe('把《*Apollo*》重命名为《乙》');
    expect(said([{ action: 'delete-document' }, { action: 'delete-document' }])).toBe('Delete 2 notes');
    const moved = (...targets: string[]) =>
      targets.map((target): Partial<PlanOperation> => ({ action: 'move-document', ...path(['N', 'X'], ['N', target, 'X']) }));
    expect(said(moved('A', 'A'))).toBe('Move 2 notes to N › A');
    expect(said(moved('A', 'B'))).toBe('Move 2 notes');
  });

  it('takes no name for a path: a title with separators stays one name', () => {
    const names = planSentence(
      plan([{ action: 'rename-document', path: { before: ['Work › Apollo'], after: ['Trash › Artemis/2'] } }], {
        document: { id: 'd', title: 'Work › Apollo', path: '/Work › Apollo' },
      }),
      t,
    ).filter((part) => typeof part !== 'string');
    expect(names).toEqual([{ name: 'Work › Apollo', isSubject: true }, { name: 'Trash › Artemis/2' }]);
    expect(said([{ action: 'move-document', path: { before: ['N', 'X'], after: ['N', 'A › B', 'X'] } }])).toBe(
      'Move *Apollo* to N › "A › B"',
    );
    // Nor a name for words of the sentence, or for the place of another name.
    const hostile = '{to} \u00001\u0000 ”';
    expect(planSentence(plan([{ action: 'delete-document' }], { document: { id: 'd', title: hostile, path: '' } }), t)).toEqual([
      'Delete the note ',
      { name: hostile, isSubject: true },
    ]);
  });

  it('says where blocks go, and counts notes where there are several', () => {
    const document = (title: string): PlanOperation['document'] => ({ id: title, title, path: `/${title}` });
    const at = (position: Omit<PlanPosition, 'path'>, action: 'insert' | 'move' = 'insert'): Partial<PlanOperation> => ({
      action,
      position: { after: { path: ['Apollo', 'Done'], ...position } },
    });
    const words = { type: 'p', words: 'We meet' };
    expect(said([at({ at: 'after', block: words })])).toBe('Add 1 block below “We meet” in *Apollo › Done*');
    expect(said([at({ at: 'before', block: { type: 't', words: '' } })])).toBe('Add 1 block above a table in *Apollo › Done*');
    expect(said([at({ at: 'start' })])).toBe('Add 1 block at the top of *Apollo › Done*');
    expect(said([at({ at: 'end' })], zh)).toBe('在《*Apollo › Done*》末尾添加 1 个块');
    expect(said([at({ at: 'end', block: { type: 'h', words: 'Plan' } })])).toBe(
      'Add 1 block at the end of the section “Plan” in *Apollo › Done*',
    );
    expect(said([at({ at: 'start', block: { type: 'l', words: 'a' } })], zh)).toBe('在《*Apollo › Done*》“a”开头添加 1 个块');
    expect(said([at({ at: 'end' }, 'move'), at({ at: 'end' }, 'move')])).toBe('Move 2 blocks to the end of *Apollo › Done*');
    expect(said([at({ at: 'after', block: words }, 'move')])).toBe('Move 1 block to *Apollo › Done*, below “We meet”');
    expect(said([at({ at: 'after', block: words }, 'move')], zh)).toBe('移动 1 个块，移到《*Apollo › Done*》“We meet”下方');
    expect(said([at({ at: 'start' }, 'move'), at({ at: 'end' }, 'move')])).toBe('Move 2 blocks in *Apollo*');
    const tagged: readonly Partial<PlanOperation>[] = ['A', 'B', 'B'].map((title) => ({ action: 'update', document: document(title)! }));
    expect(said(tagged)).toBe('Change 3 blocks in 2 notes');
    expect(said(tagged, zh)).toBe('在 2 篇笔记中修改 3 个块');
    expect(said([{ action: 'set-attributes', document: document('Moon')! }])).toBe('Set attributes of 1 block in *Moon*');
  });

  it('points out a change that could be overlooked', () => {
    const of = (before: string, after: string) => overlookedChange(plan([{ action: 'update', before, after }]).operations[0]!);
    expect([of('a b', 'a\u00a0b'), of('a  b', 'a b'), of('a\n\nb', 'a b'), of('ab', 'a b')]).toEqual(Array(4).fill('diff.onlyRoom'));
    expect([of('pay Anna', 'pay\u200b Anna'), of('a\u{e0041}', 'a')]).toEqual(['diff.onlyUnseen', 'diff.onlyUnseen']);
    expect([of('a', 'b'), of('a', 'a')]).toEqual([undefined, undefined]);
  });

  it('says it in Chinese', () => {
    expect(said([{ action: 'update' }, {}, {}], zh)).toBe('在《*Apollo*》中修改 1 个块，添加 2 个');
    expect(said([{ action: 'create-document' }, {}], zh)).toBe('在“Projects”中新建笔记《*Apollo*》，含 1 个块');
  });

  it('names operations, notices and what Undo gives back', () => {
    expect(operationLabel(plan([{ action: 'update', blockType: 'h' }]).operations[0]!, t)).toBe('Change heading');
    expect(operationLabel(plan([{ blockType: 'av' }]).operations[0]!, t)).toBe('Add block');
    expect(operationLabel(plan([{ action: 'delete', before: '\u200b', after: null }]).operations[0]!, t)).toBe('Delete empty paragraph');
    expect(operationLabel(plan([{ after: ' ' }]).operations[0]!, zh)).toBe('添加空段落');
    expect(noticeSentence({ code: 'remote-image-linked', count: 2 }, t)).toBe(
      '2 images from the web become links, so that nothing is fetched.',
    );
    expect(noticeSentence({ code: 'references-lost', count: 3 }, t)).toBe('3 blocks elsewhere refer to what will be deleted.');
    expect(noticeSentence({ code: 'attributes-lost', count: 1 }, t)).toBe('1 attribute will be lost.');
    const copy = plan([{ action: 'duplicate-document' }]).operations;
    expect(noticeSentence({ code: 'attributes-lost', count: 1 }, t, copy)).toBe('1 attribute is not copied.');
    expect(noticeSentence({ code: 'something-new', count: 1 }, t)).toBe('Adjusted for safety: something-new (1).');
    expect(undoSentence(plan([], { undo: { kind: 'exact' } }), t)).toBe('Undo brings everything back exactly.');
    expect(undoSentence(plan([], { undo: { kind: 'partial', notes: ['history', 'rows'] } }), t)).toBe(
      'Undo brings back part of it. It comes back from SiYuan’s history, at the top of the list it was in. Rows of databases do not come back.',
    );
    expect(undoSentence({ undo: { kind: 'partial', notes: ['rows'] } }, zh)).toBe('撤销只能恢复一部分。数据库里的行不会恢复。');
  });
});

describe('rights in words', () => {
  const notebook = (right: 'none' | 'read' | 'write' | 'delete', open = true) => ({ id: right, name: right, open, right });

  it('counts open notebooks by right, those without access as well', () => {
    expect(rightsLabel([notebook('read'), notebook('read'), notebook('write'), notebook('none'), notebook('delete', false)], t)).toBe(
      '2 notebooks: read · 1: read and edit · 1: no access',
    );
    expect(rightsLabel([notebook('write')], t)).toBe('1 notebook: read and edit');
    expect(rightsLabel([notebook('none')], t)).toBe('No notebook can be read');
    expect(notebookRightName({ right: 'write' }, t)).toBe('Read and edit');
    expect(notebookRightName({ right: 'write', encrypted: 'named' }, t)).toBe('Encrypted: name only');
    expect(notebookRightName({ right: 'none', encrypted: 'hidden' }, zh)).toBe('不可访问');
    expect(rightsLabel([notebook('read'), notebook('write')], zh)).toBe('1 个笔记本：读取 · 1 个：读取和编辑');
    const short = (rights: readonly ('none' | 'read' | 'write' | 'delete')[], words = t): string[] =>
      rightsClauses(
        rights.map((each) => notebook(each)),
        words,
      ).map((clause) => clause.short);
    expect(short(['none', 'write', 'delete', 'read', 'read'])).toEqual(['2 read', '1 edit', '1 delete', '1 no access']);
    expect(short(['none'])).toEqual(['No access']);
    expect(short(['read', 'none'], zh)).toEqual(['1 可读', '1 不可访问']);
  });
});

describe('tools in words', () => {
  it('names known tools, and spells out those of servers', () => {
    expect(toolName('search_notes', t)).toBe('Search notes');
    expect(toolName('get_forecast', t)).toBe('Get forecast');
    expect(toolName('toString', t)).toBe('To string');
    expect(groupName('mcp:weather', t)).toBe('Server weather');
  });

  it('names the note that was read by its title', () => {
    const preview = '# Urban heat [20260211100000-urbheat] /Urban heat in Research\nOutline:';
    expect(titleRead({ tool: 'read_doc', preview })).toBe('Urban heat');
    expect(titleRead({ tool: 'search_notes', preview })).toBe('');
    expect(titleRead({ tool: 'read_doc' })).toBe('');
  });

  it('shows the argument that says most, on one line, never a bare id', () => {
    expect(argumentInShort('search_notes', { page: 1, query: 'urban\n heat' })).toBe('urban heat');
    expect(argumentInShort('edit_block', { id: '20260412093011-abc1234', edits: [{ old: 'a', new: 'b' }] })).toBe('a → b');
    expect(argumentInShort('edit_block', { id: 'x', edits: [{ old: 'words '.repeat(9), new: 'b' }] })).toBe('b');
    expect(argumentInShort('edit_block', { id: 'x', edits: [{ old: 'gone', new: '' }] })).toBe('gone → …');
    expect(argumentInShort('edit_block', { id: 'x', edits: [{ old: '**16**', new: '**18**' }] })).toBe('16 → 18');
    expect(argumentInShort('read_doc', { id: '20260412093011-abc1234' })).toBe('');
    expect(argumentInShort('read_doc', { path: '/Research/Urban heat' })).toBe('Urban heat');
    expect(argumentInShort('read_file', { path: '/home/me/a.txt' })).toBe('/home/me/a.txt');
    expect(argumentInShort('daily_note', { op: 'list' })).toBe('');
    expect(argumentInShort('other', { op: 'list' })).toBe('list');
    expect(argumentInShort('other', { n: 1 })).toBe('');
    expect(argumentInShort('daily_note', { op: 'append', markdown: '## Plan\n\n- [ ] **pack** [map](https://a.b/c)' })).toBe(
      'Plan pack map',
    );
    expect(argumentInShort('insert_blocks', { markdown: '👍'.repeat(90) })).toBe(`${'👍'.repeat(79)}…`);
  });
});

describe('numbers', () => {
  it('writes times and tokens short', () => {
    expect([duration(0, t), duration(420, t), duration(4249, t), duration(38_400, t), duration(125_000, t)]).toEqual([
      '0.1 s',
      '0.4 s',
      '4.2 s',
      '38 s',
      '2 min 5 s',
    ]);
    expect([running(0, 900, t), running(0, 3100, t), running(0, 61_000, t)]).toEqual(['', '3 s', '1 min 1 s']);
    expect([tokens(950, t), tokens(3510, t), tokens(34_600, t), tokens(2_500_000, t)]).toEqual(['950', '3.5k', '35k', '2.5m']);
    expect([tokens(950, zh), tokens(3510, zh), tokens(34_600, zh)]).toEqual(['950', '3510', '3.5万']);
  });

  it('writes days and times as the language of the panel does, in the region of the machine', () => {
    expect([localeOf(t, ['de-DE', 'en-GB']), localeOf(t, ['de-DE']), localeOf(zh, ['en-US']), localeOf(zh, ['zh-TW'])]).toEqual([
      'en-GB',
      'en',
      'zh-CN',
      'zh-TW',
    ]);
    const [day, now] = [new Date(2026, 10, 21, 9, 5).getTime(), new Date(2026, 10, 22).getTime()];
    expect([when(day, now, zh), when(day, new Date(2027, 1, 1).getTime(), zh), when(day, day, zh)]).toEqual([
      '11月21日',
      '2026年11月21日',
      '09:05',
    ]);
    expect(moment(day, zh)).toContain('2026年11月21日');
  });

  it('leaves no second gap after Chinese punctuation', () => {
    expect([gapAfter('下一条：'), gapAfter('Next:'), gapAfter('')]).toEqual(['', ' ', '']);
  });
});

it('cuts a sentence around the title in it', () => {
  expect(aroundTitle('“Heat” was deleted.', 'Heat')).toEqual({ before: '', about: '“Heat”', after: ' was deleted.' });
  expect(aroundTitle('Added to Heat.', 'Heat')).toEqual({ before: 'Added to ', about: 'Heat.', after: '' });
  expect(aroundTitle('已删除“热岛”。内容会保留。', '热岛')).toEqual({ before: '已删除', about: '“热岛”。', after: '内容会保留。' });
  expect(aroundTitle('已刪除「熱島」。內容會保留。', '熱島')).toEqual({ before: '已刪除', about: '「熱島」。', after: '內容會保留。' });
  expect(aroundTitle('Saved', 'Heat')).toEqual({ before: 'Saved', about: '', after: '' });
  expect(aroundTitle('Saved', '')).toEqual({ before: 'Saved', about: '', after: '' });
});
