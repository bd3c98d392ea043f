import { describe, expect, it } from 'vitest';
import type { ModelUse } from '../../model/budget/usage.ts';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { openChat } from '../testing/open-chat.ts';
import { modelTitle } from './model-title.ts';

const signal = new AbortController().signal;
const QUESTION = 'What did we say about the launch of Apollo in May, and who has to be told of it before?';
const titled = async (text: string): Promise<string> => modelTitle(createScriptedModel([{ text }]), QUESTION, signal);

describe('a title by the model', () => {
  it.each([
    ['Apollo launch plan', 'Apollo launch plan'],
    ['  "Apollo launch plan."\n', 'Apollo launch plan'],
    ['**Title: Apollo launch plan**', 'Apollo launch plan'],
    ['《阿波罗发射计划》', '阿波罗发射计划'],
    ['标题：阿波罗发射计划。', '阿波罗发射计划'],
    ['標題：阿波羅發射計畫。', '阿波羅發射計畫'],
    ['\n\n---\nApollo', 'Apollo'],
    ['Titles of books', 'Titles of books'],
    ['<think>\nShort.\n</think>\n\nApollo', 'Apollo'],
    ['It has to be short.\n</think>\n\nApollo', 'Apollo'],
    ['<think>\nShort', ''],
    ['', ''],
    ['x '.repeat(60), ''],
  ])('is read from %j', async (answer, title) => {
    expect(await titled(answer)).toBe(title);
  });

  it('is asked for with the question alone', async () => {
    const model = createScriptedModel([{ text: 'A' }]);
    await modelTitle(model, 'q'.repeat(5000), signal);
    expect(
      model.requests.map(({ messages, tools }) => [messages.map(({ role, content }) => [role, content.length > 2000]), tools]),
    ).toEqual([
      [
        [
          ['system', false],
          ['user', false],
        ],
        undefined,
      ],
    ]);
  });
});

describe('a chat', () => {
  const named = (text: string, more: Parameters<typeof openChat>[0] = {}) => {
    const titles = createScriptedModel([{ text }, { text: 'Another one' }]);
    return openChat({
      replies: [{ text: 'In May.' }, { text: 'Everybody.' }],
      ...more,
      deps: { titleModel: () => titles, ...more?.deps },
    }).then((opened) => ({
      ...opened,
      titles,
    }));
  };

  it('gets one after its first answer, and none after later ones', async () => {
    const { chat, until, titles } = await named('Apollo launch');
    await chat.send(QUESTION);
    await until(({ title }) => title === 'Apollo launch');
    await chat.send('And who has to know?');
    expect(titles.requests).toHaveLength(1);
    expect(chat.view().title).toBe('Apollo launch');
  });

  it('is recorded as a title of that chat, and the answer as an answer', async () => {
    const uses: ModelUse[] = [];
    const asked = (use: ModelUse) => {
      uses.push(use);
      return createScriptedModel([{ text: 'Yes.' }]);
    };
    const model = (use: ModelUse) => ({ status: { label: 'm', kind: 'ready' as const }, model: asked(use) });
    const { chat, until } = await openChat({ deps: { model, titleModel: asked } });
    uses.length = 0;
    await chat.send(QUESTION);
    await until(({ title }) => title === 'Yes');
    const { sessionId } = chat.view();
    for (const purpose of ['answer', 'title'] as const) expect(uses).toContainEqual({ sessionId, purpose });
    expect(new Set(uses.map((use) => use.sessionId))).toEqual(new Set([sessionId]));
  });

  it('keeps the one that its user gave, also while the model thinks of one', async () => {
    let answered = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const slow = createScriptedModel([{ text: 'From the model' }]);
    const titleModel = () => ({
      ...slow,
      complete: async (...args: Parameters<typeof slow.complete>) => held.then(() => slow.complete(...args)),
    });
    const { chat } = await openChat({ replies: [{ text: 'In May.' }], deps: { titleModel } });
    await chat.send(QUESTION);
    await chat.library.rename(chat.view().sessionId, 'Mine');
    answered();
    await held;
    await new Promise((resolve) => setImmediate(resolve));
    expect(chat.view().title).toBe('Mine');
  });

  it('keeps its question as its title where the model fails, or none is to be asked', async () => {
    const failing = { label: 'm', model: 'm', complete: () => Promise.reject(new Error('no')) };
    for (const titleModel of [() => failing, () => null]) {
      const { chat } = await openChat({ replies: [{ text: 'In May.' }], deps: { titleModel } });
      await chat.send(QUESTION);
      await new Promise((resolve) => setImmediate(resolve));
      expect(chat.view().title).toMatch(/^What did we say about the launch/);
      expect(chat.view().notice).toBeUndefined();
    }
  });
});
