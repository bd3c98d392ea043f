import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitCaret } from '../../host/transactions/typing-guard.ts';
import { createEditingProbe } from './editing-probe.ts';

/** What the probe sees of a page: one editor with one block, and where the focus is. */
class FakeElement {
  readonly parentElement: FakeElement | null;
  readonly classList: { contains(name: string): boolean };
  private readonly id: string | null;

  constructor(parent: FakeElement | null, id: string | null, names = '') {
    this.parentElement = parent;
    this.id = id;
    this.classList = { contains: (name) => names.split(' ').includes(name) };
  }

  getAttribute(): string | null {
    return this.id;
  }

  closest(): FakeElement | null {
    if (this.classList.contains('protyle-wysiwyg')) return this;
    return this.parentElement?.closest() ?? null;
  }
}

const editor = new FakeElement(null, null, 'protyle-wysiwyg');
const block = new FakeElement(editor, 'block');
const elsewhere = new FakeElement(null, null);

describe('who types while something is to be written', () => {
  const page = { activeElement: editor };
  let type = (): void => undefined;
  beforeEach(() => {
    vi.useFakeTimers();
    page.activeElement = editor;
    const addEventListener = (name: string, listener: (event: { target: FakeElement }) => void): void => {
      if (name === 'input') type = () => listener({ target: block });
    };
    const document = { addEventListener, removeEventListener: () => undefined, getSelection: () => ({ anchorNode: block }) };
    vi.stubGlobal('Element', FakeElement);
    vi.stubGlobal('document', Object.defineProperty(document, 'activeElement', { get: () => page.activeElement }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Waits to write into the block; `answer` ends the question. */
  function waiting(modal: boolean, signal = new AbortController().signal, typed = false) {
    const asked = Promise.withResolvers<'write' | 'cancel'>();
    let questions = 0;
    const ask = (): Promise<'write' | 'cancel'> => {
      questions++;
      return asked.promise;
    };
    const probe = createEditingProbe(modal ? ask : () => Promise.reject(new Error('asked twice')));
    probe.askFirst(modal ? () => undefined : ask);
    if (typed) {
      type();
      page.activeElement = elsewhere;
    }
    const ended: string[] = [];
    const done = awaitCaret(probe, ['block'], signal).then(
      () => void ended.push('write'),
      (error: { code: string }) => void ended.push(error.code),
    );
    return { answer: asked.resolve, done, ended, questions: () => questions };
  }

  it('a question that took the focus waits for its answer: the caret is gone because of it', async () => {
    for (const [answer, end] of [
      ['write', 'write'],
      ['cancel', 'not_approved'],
    ] as const) {
      const question = waiting(true);
      page.activeElement = elsewhere;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(question.ended).toEqual([]);
      question.answer(answer);
      await question.done;
      expect(question.ended).toEqual([end]);
      page.activeElement = editor;
    }
  });

  it('one that stands beside the editor ends when the caret leaves the block', async () => {
    const question = waiting(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(question.ended).toEqual([]);
    page.activeElement = elsewhere;
    await vi.advanceTimersByTimeAsync(200);
    expect(question.ended).toEqual(['write']);
  });

  it('a call that is stopped meanwhile has written nothing, and says so', async () => {
    const stop = new AbortController();
    const question = waiting(true, stop.signal);
    stop.abort();
    await question.done;
    expect(question.ended).toEqual(['aborted']);
  });

  it('nobody is asked where the caret has left and the last letters are only on their way', async () => {
    const question = waiting(true, undefined, true);
    await vi.advanceTimersByTimeAsync(800);
    expect([question.ended, question.questions()]).toEqual([[], 0]);
    await vi.advanceTimersByTimeAsync(400);
    expect([question.ended, question.questions()]).toEqual([['write'], 0]);
  });

  it('who comes back meanwhile is asked', async () => {
    const question = waiting(true, undefined, true);
    await vi.advanceTimersByTimeAsync(300);
    page.activeElement = editor;
    await vi.advanceTimersByTimeAsync(5000);
    expect([question.ended, question.questions()]).toEqual([[], 1]);
    question.answer('cancel');
    await question.done;
    expect(question.ended).toEqual(['not_approved']);
  });

  it('nobody is asked where nobody types in the block', async () => {
    page.activeElement = elsewhere;
    const question = waiting(true);
    await question.done;
    expect(question.ended).toEqual(['write']);
  });
});
