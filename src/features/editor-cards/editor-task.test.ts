import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { createChatStore } from '../../chat/store/store.ts';
import type { ChatStore } from '../../chat/store/store-port.ts';
import { memoryActivity } from '../../chat/testing/memory-activity.ts';
import { sampleNotes } from '../../chat/testing/open-chat.ts';
import { counter, steppingClock } from '../../chat/testing/samples.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import { createGate, createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { createBlocksGroup, toolExecutorFactory } from '../../tools/index.ts';
import type { InMemoryNotes, InMemoryNotesOptions } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { hashOf } from '../../tools/testing/in-memory-store.ts';
import { createEditorTask } from './editor-task.ts';
import type { EditorTask, EditorTaskDeps, EditorTaskRequest, EditorTaskView } from './editor-task-types.ts';

interface Bench {
  readonly notes: InMemoryNotes;
  readonly deps: EditorTaskDeps & { readonly store: ChatStore };
  readonly model: ReturnType<typeof createScriptedModel>;
  readonly apollo: readonly string[];
  readonly documentId: string;
  readonly texts: () => readonly string[];
  readonly chats: () => Promise<readonly string[]>;
}

function bench(
  replies: readonly ScriptedReply[],
  options: { before?: InMemoryNotesOptions['before']; deps?: Partial<EditorTaskDeps> } = {},
): Bench {
  const notes = sampleNotes(options.before);
  const model = createScriptedModel(replies);
  const clock = steppingClock();
  const store = createChatStore({ storage: createMemoryStorage(), device: 'dev', now: clock.now });
  const document = notes.store.documents.find(({ title }) => title === 'Apollo')!;
  const deps: EditorTaskDeps & { store: ChatStore } = {
    executorFactory: ({ approvalAdapter }) =>
      toolExecutorFactory({
        ...{ approvalAdapter, clock, rights: inMemoryRights(notes) },
        groups: [createBlocksGroup(notes)],
        groupDefaults: { blocks: true },
      }),
    settings: () => ({ systemPrompt: 'Be kind.', chatOption: {}, toolCallMaxRounds: 10 }),
    ...{ clock, newId: counter('t'), device: 'dev', timeZone: 'UTC', notes, history: notes },
    model: () => ({ status: { label: 'scripted', kind: 'ready' }, model }),
    readBlock: async (id) => {
      const holder = notes.store.documentOf(id);
      const block = holder.blocks.find((one) => one.id === id);
      if (!block) throw new ToolError('not_found', 'gone', 'search again');
      const { title } = holder;
      return {
        ...block,
        hash: hashOf(block.markdown),
        document: { id: holder.id, title },
        notebook: { id: holder.notebook, name: 'Work' },
      };
    },
    words: {
      title: (action, about) => `${String(action)}: ${about}`,
      question: (action, language) => `${String(action)} ${language}`,
      chinese: 'Chinese',
    },
    translateTo: () => undefined,
    ...options.deps,
    store,
  };
  return {
    ...{ notes, deps, model, documentId: document.id },
    apollo: document.blocks.map(({ id }) => id),
    texts: () => document.blocks.map(({ markdown }) => markdown),
    chats: async () => (await store.list()).map(({ title }) => title),
  };
}

const block = (action: EditorTaskRequest['action'], id: string, typed = true): EditorTaskRequest => ({
  action,
  typed,
  target: { kind: 'block', ids: [id], around: [] },
});
const shown = ({ status, error, note }: EditorTaskView): unknown => [status, error?.code ?? null, note ?? null];
const START = ['# Apollo', 'The launch is planned for May.', 'Risk: the budget is tight.'];

describe('an editor task', () => {
  it('tells the person alone what keeps a text from the model', async () => {
    const asked: string[] = [];
    const whyKeptBack: EditorTaskDeps['whyKeptBack'] = async (id) => {
      asked.push(id);
      return { by: 'notebook', id: 'work', name: 'Work' };
    };
    const { deps, model, chats } = bench([], { deps: { whyKeptBack } });
    const hidden = createEditorTask(deps, block('rewrite', '20260101000000-abcdefg'));
    await hidden.run();
    expect(hidden.view()).toMatchObject({ status: 'error', error: { code: 'not_found' }, keptBack: { by: 'notebook', name: 'Work' } });
    await hidden.reject();
    expect([model.requests.length, await chats(), asked]).toEqual([0, [], ['20260101000000-abcdefg']]);
  });

  it('reads what others changed in the settings before it reads a note, and once', async () => {
    const read: string[] = [];
    const { deps, apollo } = bench(['One.']);
    const task = createEditorTask(
      {
        ...deps,
        readSettings: async () => void read.push('settings'),
        readBlock: (id, signal) => {
          read.push('note');
          return deps.readBlock(id, signal);
        },
      },
      block('rewrite', apollo[1]!),
    );
    await task.run();
    expect(shown(task.view())).toEqual(['proposal', null, null]);
    expect(read.slice(0, 2)).toEqual(['settings', 'note']);
    expect(read.filter((what) => what === 'settings')).toHaveLength(1);
  });

  it('records its call once it is accepted; a suggestion that is turned down leaves no record', async () => {
    const { store, records } = memoryActivity();
    const { deps, apollo } = bench(['One.', 'Two.'], { deps: { activity: store } });
    const run = async () => {
      const task = createEditorTask(deps, block('rewrite', apollo[1]!));
      await task.run();
      return task;
    };
    await (await run()).reject();
    expect(records.size).toBe(0);
    const task = await run();
    await task.accept();
    expect([...records.values()]).toMatchObject([
      { sessionId: task.sessionId, toolName: 'edit_block', effect: 'write', status: 'success', written: { blockIds: [apollo[1]] } },
    ]);
  });

  it('can be undone once more where Undo restored nothing', async () => {
    const { deps, apollo, texts, notes } = bench(['We launch in May.']);
    const write = (text: string) => {
      const document = notes.store.documentOf(apollo[1]!);
      document.blocks = document.blocks.map((each) => (each.id === apollo[1] ? { ...each, markdown: text } : each));
    };
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.accept();
    write('We launch in May. Mine.');
    await task.undo();
    expect(task.view()).toMatchObject({ status: 'done', undoable: true, undone: { restored: [], conflicts: [{ blockId: apollo[1] }] } });
    write('We launch in May.');
    await task.undo();
    expect(task.view()).toMatchObject({ status: 'done', undoable: false, undone: { conflicts: [] } });
    expect(texts()).toEqual(START);
  });

  it('proposes, writes only what is accepted, keeps the run as a chat and undoes it', async () => {
    const { deps, apollo, texts, chats, notes, model } = bench(['We launch in May.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect(shown(task.view())).toEqual(['proposal', null, null]);
    const [approval] = task.view().approvals;
    expect(approval?.plan?.operations[0]).toMatchObject({ before: START[1], after: 'We launch in May.' });
    expect([texts(), await chats(), notes.writes]).toEqual([START, [], 0]);
    expect(model.requests[0]?.tools).toBeUndefined();
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Editor task: rewrite');
    await task.accept();
    expect(shown(task.view())).toEqual(['done', null, null]);
    expect(texts()[1]).toBe('We launch in May.');
    expect(await chats()).toEqual(['rewrite: The launch is planned for May.']);
    // Apart from talks, until somebody goes on talking about it.
    expect(await deps.store.list()).toMatchObject([{ suggestion: true }]);
    const loaded = await deps.store.load(task.sessionId);
    const answer = Object.values(loaded?.session.nodes ?? {}).find(({ role }) => role === 'assistant')!;
    const payload = answer.versions[answer.currentVersionId]!;
    expect(payload.writes).toEqual([apollo[1]]);
    expect(payload.toolChainResult?.toolCallHistory[0]?.toolName).toBe('edit_block');
    expect(payload.toolChainResult?.rounds.map(({ text, callIds }) => [text, callIds.length])).toEqual([
      ['', 1],
      ['We launch in May.', 0],
    ]);
    expect(loaded?.session.systemPrompt).toBeUndefined();
    await task.undo();
    expect(task.view()).toMatchObject({ status: 'done', undoable: false, undone: { conflicts: [] } });
    expect(texts()).toEqual(START);
    await task.reject();
    expect(await chats()).toHaveLength(1);
  });

  it('writes again what was undone, and can be undone then', async () => {
    const { deps, apollo } = bench(['We launch in May.']);
    const asked: string[] = [];
    const history: EditorTaskDeps['history'] = Object.assign(Object.create(deps.history), {
      redo: async (_session: string, nodeId: string) => {
        asked.push(nodeId);
        return { restored: [], conflicts: [{ blockId: apollo[1]!, reasons: [{ code: 'changed' }] }] };
      },
    });
    const task = createEditorTask({ ...deps, history }, block('rewrite', apollo[1]!));
    await task.run();
    await task.accept();
    // There is nothing to write again yet.
    await task.redo();
    expect([asked, task.view().redoable]).toEqual([[], false]);
    await task.undo();
    expect(task.view()).toMatchObject({ undoable: false, redoable: true });
    await task.redo();
    expect(asked).toHaveLength(1);
    expect(task.view()).toMatchObject({ status: 'done', undoable: true, redoable: false, redone: { conflicts: [{ blockId: apollo[1] }] } });
  });

  it('leaves no trace when it is turned down', async () => {
    const { deps, apollo, texts, chats, notes } = bench(['Other.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.reject();
    expect([texts(), await chats(), notes.writes]).toEqual([START, [], 0]);
  });

  it('stops the model when it is turned down while it works', async () => {
    const gate = createGate();
    const { deps, apollo, texts, chats } = bench([{ text: 'Other.', gateStart: gate }]);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    const running = task.run();
    await gate.reached;
    expect(shown(task.view())).toEqual(['working', null, null]);
    await task.reject();
    await running;
    expect([texts(), await chats()]).toEqual([START, []]);
  });

  it('is recorded as a suggestion', async () => {
    const { deps, apollo } = bench(['Other.']);
    const uses: ModelUse[] = [];
    const model: EditorTaskDeps['model'] = (use) => {
      uses.push(use);
      return deps.model(use);
    };
    const task = createEditorTask({ ...deps, model }, block('rewrite', apollo[1]!));
    await task.run();
    expect(uses).toContainEqual({ sessionId: task.sessionId, purpose: 'suggestion' });
    expect(uses.map(({ purpose }) => purpose)).not.toContain('answer');
  });

  it('asks behind the answer for what the person wants changed, and proposes that instead', async () => {
    const { deps, model, apollo, texts } = bench([{ text: 'We launch in May.' }, { text: 'May: launch.' }]);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.adjust('  Make it shorter. ');
    expect(task.view()).toMatchObject({ status: 'proposal', text: 'May: launch.' });
    const sent = model.requests.at(-1)?.messages.map(({ role, content }) => [role, content]) ?? [];
    expect(sent.slice(-2)).toEqual([
      ['assistant', 'We launch in May.'],
      ['user', 'Make it shorter.'],
    ]);
    await task.adjust(' ');
    await task.accept();
    expect(texts()[1]).toBe('May: launch.');
    // What is written is changed in the panel.
    await task.adjust('Once more.');
    expect(model.requests).toHaveLength(2);
  });

  it('puts what it inserts in place of the empty paragraph where the command was typed', async () => {
    const { deps, apollo, texts } = bench([{ text: 'A launch in May.' }, { text: 'Unused.' }]);
    const readBlock: EditorTaskDeps['readBlock'] = async (id, signal) => ({
      ...(await deps.readBlock(id, signal)),
      type: 'p',
      markdown: '',
    });
    const task = createEditorTask({ ...deps, readBlock }, block('summarize', apollo[2]!));
    await task.run();
    expect(task.view().approvals.map(({ tool }) => tool)).toEqual(['edit_block']);
    await task.accept();
    expect(texts()).toEqual([...START.slice(0, 2), 'A launch in May.']);
    // Where a text is continued, the writer goes on in the paragraph.
    const typed = createEditorTask({ ...deps, readBlock }, block('continue', apollo[2]!));
    await typed.run();
    expect(typed.view().approvals.map(({ tool }) => tool)).toEqual(['insert_blocks']);
  });

  it('tries again as a new version of the same answer', async () => {
    const { deps, apollo, model } = bench(['First.', 'Second.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.again();
    expect(task.view().approvals.map(({ plan }) => plan?.operations[0]?.after)).toEqual(['Second.']);
    await task.accept();
    const loaded = await deps.store.load(task.sessionId);
    const answer = Object.values(loaded?.session.nodes ?? {}).find(({ role }) => role === 'assistant');
    expect(Object.keys(answer?.versions ?? {})).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('First.');
  });

  it('inserts below instead, in one step', async () => {
    const { deps, apollo, texts } = bench(['We launch in May.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.insertBelow();
    expect(shown(task.view())).toEqual(['done', null, null]);
    expect(texts()).toEqual([START[0], START[1], 'We launch in May.', START[2]]);
  });

  it('writes beyond the right of its notebook where the person says so for this time, and not by itself', async () => {
    const { deps, apollo, texts, notes } = bench(['It is a rocket.', '# Tidied.', '# Tidied.']);
    const [notebook] = notes.store.notebooks;
    notebook!.right = 'read';
    const once = (task: EditorTask) =>
      task.accept(new Map(task.view().approvals.map(({ approvalId }) => [approvalId, { approved: true, beyondRight: true }])));

    const task = createEditorTask(deps, block('explain', apollo[1]!));
    await task.run();
    await task.insertBelow();
    expect(shown(task.view())).toEqual(['proposal', null, null]);
    expect([texts(), task.view().approvals[0]?.plan?.needsRight]).toEqual([START, 'write']);
    await once(task);
    expect(texts()).toContain('It is a rocket.');
    const rewrite = createEditorTask(deps, block('rewrite', apollo[0]!));
    await rewrite.run();
    expect(rewrite.view().approvals[0]?.plan?.needsRight).toBe('write');
    await rewrite.accept();
    expect(rewrite.view()).toMatchObject({ status: 'error', error: { code: 'no_right' } });
    expect(texts()[0]).toBe(START[0]);
    await rewrite.again();
    await once(rewrite);
    expect(shown(rewrite.view())).toEqual(['done', null, null]);
    expect(texts()[0]).toBe('# Tidied.');
    expect(notebook!.right).toBe('read');
  });

  it('asks before it inserts what was not in view, where that is wanted', async () => {
    const { deps, apollo, texts } = bench(['We launch in May.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.insertBelow({ ask: true });
    expect(shown(task.view())).toEqual(['proposal', null, null]);
    expect(texts()).toEqual(START);
  });

  it('asks whatever the settings allow without asking', async () => {
    const made = bench(['Other.']);
    const auto = { edit_block: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } } as const;
    const executorFactory: EditorTaskDeps['executorFactory'] = ({ approvalAdapter }) =>
      toolExecutorFactory({
        ...{ approvalAdapter, clock: made.deps.clock, permissions: auto },
        groups: [createBlocksGroup(made.notes)],
        groupDefaults: { blocks: true },
      });
    const task = createEditorTask({ ...made.deps, executorFactory }, block('rewrite', made.apollo[1]!));
    await task.run();
    expect([task.view().approvals.length, made.notes.writes]).toEqual([1, 0]);
    await task.accept();
    expect(shown(task.view())).toEqual(['done', null, null]);
  });

  it('respects a tool that is switched off', async () => {
    const made = bench(['Other.']);
    const executorFactory: EditorTaskDeps['executorFactory'] = ({ approvalAdapter }) =>
      toolExecutorFactory({ approvalAdapter, clock: made.deps.clock, groups: [createBlocksGroup(made.notes)] });
    const task = createEditorTask({ ...made.deps, executorFactory }, block('rewrite', made.apollo[1]!));
    await task.run();
    expect(shown(task.view())).toEqual(['error', 'tool_disabled', null]);
  });

  it('goes below a block that Markdown cannot say', async () => {
    const { deps, apollo } = bench(['Other.'], {
      before: (method) => {
        if (method === 'planEdit') throw new ToolError('not_markdown_safe', 'styled', 'insert beside it');
      },
    });
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect(shown(task.view())).toEqual(['proposal', null, 'below-unsafe']);
    expect(task.view().approvals.map(({ tool }) => tool)).toEqual(['insert_blocks']);
  });

  it('says that nothing would change', async () => {
    const { deps, apollo } = bench([START[1]!]);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect([shown(task.view()), task.view().approvals]).toEqual([['proposal', null, 'unchanged'], []]);
  });

  it('does not write over a block that was changed since, and begins anew with its text', async () => {
    const { deps, apollo, notes, texts, model, chats } = bench(['We launch in May.', 'We launch in June.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    const document = notes.store.documentOf(apollo[1]!);
    document.blocks = document.blocks.map((one) => (one.id === apollo[1] ? { ...one, markdown: 'The launch is planned for June.' } : one));
    await task.accept();
    expect(shown(task.view())).toEqual(['error', 'stale', null]);
    expect(texts()[1]).toBe('The launch is planned for June.');
    await task.again();
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('planned for June');
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('planned for May');
    await task.accept();
    expect([texts()[1], await chats()]).toEqual(['We launch in June.', ['rewrite: The launch is planned for June.']]);
  });

  it('changes several blocks, each by itself, and leaves out what is left out', async () => {
    const { deps, apollo, texts } = bench(['May it is.\n\n=====\n\nMoney is short.']);
    const task = createEditorTask(deps, { action: 'rewrite', typed: false, target: { kind: 'block', ids: apollo.slice(1), around: [] } });
    await task.run();
    const { approvals } = task.view();
    expect(approvals).toHaveLength(2);
    await task.accept(new Map([[approvals[1]!.approvalId, { approved: true }]]));
    expect(shown(task.view())).toEqual(['done', null, null]);
    expect(texts()).toEqual([START[0], START[1], 'Money is short.']);
  });

  it('puts the text below where the model did not keep to the number of blocks', async () => {
    const { deps, apollo } = bench(['All in one.']);
    const task = createEditorTask(deps, { action: 'rewrite', typed: false, target: { kind: 'block', ids: apollo.slice(1), around: [] } });
    await task.run();
    expect(task.view().approvals.map(({ tool, args }) => [tool, args.anchor])).toEqual([['insert_blocks', apollo[2]]]);
  });

  it('changes only the selected words', async () => {
    const { deps, apollo, texts, model } = bench(['in June']);
    const target = { kind: 'selection', ids: [apollo[1]!], around: [], text: 'for May' } as const;
    const task = createEditorTask(deps, { action: 'rewrite', typed: false, target });
    await task.run();
    await task.accept();
    expect(texts()[1]).toBe('The launch is planned in June.');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Only the attached selection');
  });
});

describe('what goes where', () => {
  const run = async (request: (bench: Bench) => EditorTaskRequest, reply = 'New.'): Promise<{ made: Bench; view: EditorTaskView }> => {
    const made = bench([reply]);
    const task = createEditorTask(made.deps, request(made));
    await task.run();
    const view = task.view();
    await task.accept();
    return { made, view };
  };

  it('/summarize puts a summary of the whole note at the block it was typed in', async () => {
    const { made } = await run(({ apollo }) => block('summarize', apollo[0]!));
    expect(made.texts()).toEqual([START[0], 'New.', START[1], START[2]]);
    expect(JSON.stringify(made.model.requests[0]?.messages)).toContain('budget is tight');
  });

  it('summarizes a note from its menus as the first block', async () => {
    const { made } = await run(({ documentId }) => ({ action: 'summarize', typed: false, target: { kind: 'document', id: documentId } }));
    expect(made.texts()[0]).toBe('New.');
  });

  it('/continue writes after the block and knows what stands before', async () => {
    const { made } = await run(({ apollo }) => block('continue', apollo[2]!));
    expect(made.texts()[3]).toBe('New.');
    expect(JSON.stringify(made.model.requests[0]?.messages)).toContain('planned for May');
  });

  it('/todo makes a list below the block', async () => {
    const { made } = await run(({ apollo }) => block('todo', apollo[1]!), '- [ ] Plan the launch');
    expect(made.texts()[2]).toBe('- [ ] Plan the launch');
  });

  it('/translate goes to the other language', async () => {
    const { made } = await run(({ apollo }) => block('translate', apollo[1]!), '发射计划在五月。');
    expect(made.texts()[1]).toBe('发射计划在五月。');
    expect(made.model.requests[0]?.messages[0]?.content).toContain('Into: Chinese');
  });

  it('/translate asks for Chinese as the reader writes it', async () => {
    const made = bench(['發射計畫在五月。']);
    const deps = { ...made.deps, words: { ...made.deps.words, chinese: 'Traditional Chinese' } };
    await createEditorTask(deps, block('translate', made.apollo[1]!)).run();
    expect(made.model.requests[0]?.messages[0]?.content).toContain('Into: Traditional Chinese');
  });

  it('/explain writes nothing by itself', async () => {
    const { made, view } = await run(({ apollo }) => block('explain', apollo[1]!));
    expect([view.status, view.text, view.approvals, made.texts()]).toEqual(['proposal', 'New.', [], START]);
  });

  it('a prompt of the user’s own replaces or inserts as it says', async () => {
    const prompt = { id: 'p1', name: 'Shout', prompt: 'Write it in capitals.', output: 'replace' } as const;
    const replaced = await run(({ apollo }) => block(prompt, apollo[1]!), 'MAY!');
    expect(replaced.made.texts()[1]).toBe('MAY!');
    expect(replaced.made.model.requests[0]?.messages[0]?.content).toContain('Write it in capitals.');
    const inserted = await run(({ apollo }) => block({ ...prompt, output: 'insert' }, apollo[1]!), 'MAY!');
    expect(inserted.made.texts().slice(1, 3)).toEqual([START[1], 'MAY!']);
  });

  it('keeps the marker of a heading, drops a fence, and takes a reference in the answer as text', async () => {
    const heading = await run(({ apollo }) => block('rewrite', apollo[0]!), '```markdown\nThe Apollo project\n```');
    expect(heading.made.texts()[0]).toBe('# The Apollo project');
    const reference = await run(({ apollo }) => block('rewrite', apollo[1]!), 'See $VAR_REF{{secret}}.');
    expect(reference.made.texts()[1]).toBe('See $VAR_REF{{secret}}.');
  });
});

describe('what can fail', () => {
  it('says why there is no answer, and recovers with another try', async () => {
    const { deps, apollo } = bench([{ error: new ToolError('model_unauthorized', 'bad key', 'check it') }, 'Better.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect(shown(task.view())).toEqual(['error', 'model_unauthorized', null]);
    await task.again();
    expect(shown(task.view())).toEqual(['proposal', null, null]);
  });

  it('says that no model is set up', async () => {
    const status = { label: '', kind: 'missing' } as const;
    const { deps, apollo } = bench([], { deps: { model: () => ({ status, model: null }) } });
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect(shown(task.view())).toEqual(['error', 'model_missing', null]);
  });

  it('reads nothing of a notebook that is kept from it, and asks no model', async () => {
    const { deps, apollo, model } = bench(['Other.'], {
      deps: { readBlock: () => Promise.reject(new ToolError('closed_notebook', 'Work is closed', 'open it')) },
    });
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    expect([shown(task.view()), model.requests.length]).toEqual([['error', 'closed_notebook', null], 0]);
  });

  it('keeps the chat of a write whose outcome is unknown', async () => {
    const { deps, apollo, chats } = bench(['Other.'], {
      before: (method) => {
        if (method === 'apply') throw new ToolError('outcome_unknown', 'gone', 'look');
      },
    });
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.accept();
    expect([shown(task.view()), task.view().undoable]).toEqual([['error', 'outcome_unknown', null], true]);
    await task.reject();
    expect(await chats()).toHaveLength(1);
  });

  it('is kept as a chat when the talk goes on in the panel', async () => {
    const { deps, apollo, chats, texts } = bench(['Other.']);
    const task = createEditorTask(deps, block('rewrite', apollo[1]!));
    await task.run();
    await task.keep();
    expect([await chats(), texts()]).toEqual([['rewrite: The launch is planned for May.'], START]);
  });
});
