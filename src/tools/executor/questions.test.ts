import { describe, expect, it } from 'vitest';
import { InlineAskUser } from './questions.ts';

const question = (callId: string, text = 'Which?') => ({ callId, question: text, options: ['red', 'blue'] });
const live = () => new AbortController().signal;

describe('InlineAskUser', () => {
  it('holds several until each is answered or closed, once', async () => {
    const questions = new InlineAskUser();
    const seen: number[] = [];
    questions.subscribe((waiting) => seen.push(waiting.length));
    const first = questions.ask(question('1'), live());
    const second = questions.ask(question('2'), live());
    expect(questions.list().map(({ callId }) => callId)).toEqual(['1', '2']);
    expect([questions.answer('2', null), questions.answer('2', 'late'), questions.answer('3', 'x')]).toEqual([true, false, false]);
    questions.answer('1', 'the blue one');
    expect(await Promise.all([first, second])).toEqual(['the blue one', null]);
    expect(seen).toEqual([1, 2, 1, 0]);
  });

  it('loses no question of calls that have one id', async () => {
    const questions = new InlineAskUser();
    const both = [questions.ask(question('c', 'first'), live()), questions.ask(question('c', 'second'), live())];
    expect(questions.list().map((one) => one.question)).toEqual(['first', 'second']);
    questions.answer('c', 'one');
    expect(questions.list().map((one) => one.question)).toEqual(['second']);
    questions.answer('c', 'two');
    expect(await Promise.all(both)).toEqual(['one', 'two']);
  });

  it('rejects on abort, before or while it waits, and leaves the others', async () => {
    const questions = new InlineAskUser();
    const controller = new AbortController();
    const waiting = questions.ask(question('c'), controller.signal);
    const other = questions.ask(question('c'), live());
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(questions.ask(question('2'), controller.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(questions.list()).toHaveLength(1);
    questions.answer('c', 'still there');
    expect(await other).toBe('still there');
  });

  it('rejects everything on dispose, and what comes later', async () => {
    const questions = new InlineAskUser();
    const seen: number[] = [];
    const stop = questions.subscribe((waiting) => seen.push(waiting.length));
    const waiting = questions.ask(question('1'), live());
    stop();
    questions.dispose();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(questions.ask(question('2'), live())).rejects.toMatchObject({ code: 'aborted' });
    expect([questions.list(), seen]).toEqual([[], [1]]);
  });
});
