import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { toolExecutorFactory } from '../../tools/index.ts';
import { testClock, testTool } from '../../tools/testing/support.ts';
import type { ChatControllerDeps } from '../controller/controller-deps.ts';
import { type OpenChatOptions, openChat } from '../testing/open-chat.ts';
import type { FindFirst } from './search-first.ts';
import type { ChatContext } from './types.ts';

const DOCUMENT = '20260101000000-document';
const BLOCK = '20260101000000-passage';
const found = (question: string): ChatContext => ({
  kind: 'found',
  id: 'found',
  title: 'Apollo',
  text: `[${BLOCK}] passage for ${question}`,
  found: { notes: [{ id: DOCUMENT, title: 'Apollo', path: '/Apollo', notebook: 'Work', passages: [{ id: BLOCK, text: 'passage' }] }] },
});

/** A chat whose model has the notes searched first, and the questions that were searched for. */
async function openSearching(
  replies: readonly ScriptedReply[],
  isOn: boolean | ((unasked: boolean) => boolean) = true,
  find: FindFirst = async (question) => found(question),
  options: OpenChatOptions = {},
) {
  const searched: string[] = [];
  const model = { ...createScriptedModel(replies), searchFirst: typeof isOn === 'boolean' ? () => isOn : isOn };
  const deps: Partial<ChatControllerDeps> = {
    model: () => ({ status: { label: model.label, kind: 'ready' }, model }),
    findFirst: (question, signal) => {
      searched.push(question);
      return find(question, signal);
    },
  };
  const { chat, approval } = await openChat({ ...options, deps: { ...deps, ...options.deps } });
  const sent = (request = -1): string => model.requests.at(request)?.messages.at(-1)?.content ?? '';
  const chips = (message = 0) => chat.view().messages[message]?.contexts ?? [];
  return { chat, approval, model, searched, sent, chips };
}

describe('a model for which notes are searched first', () => {
  it('gets the passages with the question, and the question shows them', async () => {
    const { chat, sent, chips } = await openSearching(['It is in May.']);
    await chat.send('When is the launch?');
    expect(sent()).toMatch(/kind="found"[\s\S]*passage for When is the launch\?[\s\S]*When is the launch\?$/u);
    expect(chips()).toMatchObject([{ kind: 'found', title: 'Apollo', found: { notes: [{ id: DOCUMENT, passages: [{ id: BLOCK }] }] } }]);
  });

  it('may cite the blocks that were found', async () => {
    const { chat } = await openSearching([`In May ((${BLOCK} "passage")), not ((20260101000000-invente "x")).`]);
    await chat.send('When?');
    const [, answer] = chat.view().messages;
    expect(answer?.citations).toEqual([BLOCK]);
  });

  it('is asked without them where the switch is off, nothing matches, or the search fails', async () => {
    const off = await openSearching(['a'], false);
    await off.chat.send('q');
    const failing: FindFirst = () => Promise.reject(new ToolError('kernel_unreachable', 'SiYuan does not answer', 'start it'));
    for (const { chat, sent, chips } of [
      off,
      await openSearching(['a'], true, async () => undefined),
      await openSearching(['a'], true, failing),
    ]) {
      if (chat !== off.chat) await chat.send('q');
      expect(sent()).toBe('q');
      expect(chips()).toEqual([]);
    }
    expect(off.searched).toEqual([]);
  });

  it('is asked without them where nobody chose that and the person would be asked about results of the search', async () => {
    const byDefault = (unasked: boolean): boolean => unasked;
    const asking = await openSearching(['a'], byDefault, undefined, { resultPolicy: 'always' });
    await asking.chat.send('q');
    expect([asking.searched, asking.sent()]).toEqual([[], 'q']);
    const chosen = await openSearching(['a'], true, undefined, { resultPolicy: 'always' });
    await chosen.chat.send('q');
    const free = await openSearching(['a'], byDefault);
    await free.chat.send('q');
    expect([chosen.searched, free.searched]).toEqual([['q'], ['q']]);
  });

  it('was given private text with them: what a tool sends away afterwards is shown first', async () => {
    const post = testTool('post', { effect: 'outgoing', outgoing: () => ({ url: 'https://example.org', body: 'text' }) });
    const clock = testClock();
    const groups = [{ name: 'web', tools: [post] }];
    const deps: Partial<ChatControllerDeps> = {
      executorFactory: ({ approvalAdapter }) => toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults: { web: true } }),
    };
    const replies = [{ calls: [{ name: 'post', arguments: {}, id: 'c-post' }] }, 'Sent.'];
    const { chat, approval } = await openSearching(replies, true, undefined, { deps });
    const sending = chat.send('post it');
    expect(await approval()).toMatchObject({ tool: 'post', outgoing: { destination: 'https://example.org', body: 'text' } });
    chat.stop();
    await sending;
  });

  it('gets what the user attached instead', async () => {
    const { chat, searched } = await openSearching(['a']);
    chat.addContext({ kind: 'block', id: BLOCK, title: 'Note', text: 'Attached text' });
    await chat.send('What is this?');
    expect(searched).toEqual([]);
  });

  it('keeps them when the question is asked again, and gets new ones or none where the user wants that', async () => {
    const { chat, searched, sent } = await openSearching(['a', 'b', 'c', 'd']);
    await chat.send('q');
    await chat.rerun(chat.view().messages[1]?.nodeId ?? '');
    expect([searched, sent()]).toEqual([['q'], expect.stringContaining('passage for q')]);
    await chat.messages.edit(chat.view().messages[0]?.nodeId ?? '', 'q2');
    expect([searched, sent()]).toEqual([['q', 'q2'], expect.not.stringContaining('passage for q\n')]);
    await chat.messages.edit(chat.view().messages[0]?.nodeId ?? '', 'q2', false);
    expect([searched, sent()]).toEqual([['q', 'q2'], 'q2']);
  });

  it('is stopped while the search still runs', async () => {
    let begun = (): void => undefined;
    const begins = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { chat, model } = await openSearching(['a'], true, () => {
      begun();
      return new Promise(() => undefined);
    });
    const sending = chat.send('q');
    await begins;
    chat.stop();
    await sending;
    expect(model.requests).toEqual([]);
    expect(chat.view().running).toBe(false);
  });
});
