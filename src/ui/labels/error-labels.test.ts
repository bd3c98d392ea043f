import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import { HELPS } from '../../features/usage/feature.ts';
import { budgetReached, priceMissing } from '../../model/budget/budget-words.ts';
import { ERROR_CODES } from '../../tools/contract/errors.ts';
import { failureActions } from '../answer/failure-actions.ts';
import { createTranslate } from '../ports/i18n.ts';
import { callErrorLabel, errorLabel } from './error-labels.ts';

const t = createTranslate(english);
const zh = createTranslate(chinese);

describe('errors in words', () => {
  it('words known codes in the language of the panel and lets unknown ones speak', () => {
    expect(errorLabel({ code: 'model_unauthorized', message: 'refused (401)', next: 'x' }, zh).what).toBe('模型服务商不接受这个密钥。');
    const local = '"local only" is on, and post would send data away from this machine';
    const long = { code: 'model_context_overflow' as const, message: 'too long', next: 'x' };
    for (const first of [true, false]) {
      const next = (baseURL?: string) => errorLabel(long, t, { model: 'm', first, baseURL }).next;
      const begin = first ? 'Shorten the question, attach less' : 'Start a new chat';
      expect(next('http://127.0.0.1:11434/v1')).toBe(
        `${begin}, switch off tools that you do not need, or give the model a larger window: start Ollama with OLLAMA_CONTEXT_LENGTH=16384.`,
      );
      expect(next('http://192.168.1.2:1234/v1')).toContain('load it in LM Studio with a larger context length');
      expect(next('http://127.0.0.1:8080/v1')).toContain('llama-server: -c 16384');
      expect(next('https://api.openai.com/v1')).not.toContain('window');
    }
    expect(errorLabel(long, t, { model: '/models/m.gguf', first: true }).what).toBe(
      'This question is more than “m.gguf” can read at once.',
    );
    expect(errorLabel(long, t, { model: 'm', first: true }).next).toMatch(/^Shorten the question, attach less, choose a model/);
    const off = { code: 'model_unreachable' as const, message: 'no connection', next: 'x' };
    const retry = (baseURL: string) => errorLabel(off, t, { model: 'm', first: true, baseURL }).next;
    expect(retry('http://127.0.0.1:8080/v1')).toBe('Nothing was lost. Check that its server is running, then retry.');
    expect(retry('https://api.openai.com/v1')).toContain('Check the network');
    expect(errorLabel(long, zh, { model: 'm', first: true, baseURL: 'http://127.0.0.1:8080' }).next).toContain('-c 16384');
    expect(errorLabel({ code: 'local_only', message: local, next: 'go on without it' }, t).what).toBe(
      '“Local only” is on, so nothing was sent.',
    );
    expect(callErrorLabel({ code: 'local_only', message: local, next: 'go on without it' }, zh)).toBe(
      '“仅限本地”已开启，没有发送任何内容。',
    );
    expect(errorLabel({ code: 'other', message: 'the disk is full', next: 'ask the user to free some space' }, t)).toMatchObject({
      what: 'The disk is full.',
      next: 'Try again. If it happens again, update Marginalia on this device.',
    });
  });

  it('shows nobody what the model is told to do next, whatever failed', () => {
    const closed = {
      code: 'closed_notebook',
      message: 'the notebook Work is closed',
      next: 'ask the user to open it, then try again',
    } as const;
    expect(errorLabel(closed, t)).toEqual({
      what: 'The notebook is closed.',
      next: 'Open it in SiYuan, then try again.',
      detail: 'closed_notebook: the notebook Work is closed',
    });
    expect(errorLabel(closed, zh)).toMatchObject({ what: '笔记本没有打开。', next: '请先在思源里打开它，然后重试。' });
    for (const code of ERROR_CODES) {
      const error = { code, message: 'what the model read', next: 'tell the user' };
      for (const translate of [t, zh]) {
        const { what, next } = errorLabel(error, translate);
        const said = `${code}: ${what} ${next}`;
        expect(said).not.toMatch(/tell the user/iu);
        // A text that is missing is shown as its key.
        expect(said).not.toMatch(/error\.[a-z]/u);
        expect(what, said).toMatch(/[.。!]$/u);
        expect(next, said).toMatch(/[.。]$/u);
        if (translate === zh) expect([/[\u4e00-\u9fff]/u.test(what), /[\u4e00-\u9fff]/u.test(next)], said).toEqual([true, true]);
      }
    }
    // What the model read is shown where the words are of use to people: of a program, of SiYuan, of a defect.
    const shown = ERROR_CODES.filter((code) =>
      /what the model read/iu.test(errorLabel({ code, message: 'what the model read', next: '' }, t).what),
    );
    expect(shown).toEqual(['internal', 'tool_failed', 'kernel_refused', 'other']);
  });

  it('has words for no code that there is not', () => {
    const codes = new Set<string>(ERROR_CODES);
    const named = Object.keys(english).flatMap((key) => /^(?:error|callError)\.(\w+)/u.exec(key)?.[1] ?? []);
    expect(named.filter((code) => !codes.has(code))).toEqual([]);
  });

  it('lets SiYuan speak for itself where it refused something, without the name of the route', () => {
    const refused = {
      code: 'kernel_refused',
      message: 'SiYuan refused /api/filetree/createDoc: 存储空间不足',
      next: 'tell the user',
    } as const;
    const english = { ...refused, message: 'SiYuan refused /api/filetree/createDoc: no space left' } as const;
    expect(errorLabel(english, t).what).toBe('SiYuan refused this: no space left.');
    expect(errorLabel(refused, zh).what).toBe('思源拒绝了这次操作：存储空间不足。');
    expect(callErrorLabel(refused, zh)).toBe('思源拒绝了这次操作：存储空间不足。');
    const unsaid = { ...refused, message: 'SiYuan refused /api/filetree/createDoc: code -1' };
    expect(callErrorLabel(unsaid, zh)).toBe('思源没有接受这次操作。');
    expect(callErrorLabel({ ...refused, message: 'SiYuan is still indexing' }, t)).toBe('SiYuan is still indexing.');
  });

  it('says which budget is reached and how far, and where only a price is missing', () => {
    const reached = (period: 'day' | 'turn', unit: 'tokens' | 'dollars', translate = t): string =>
      errorLabel(budgetReached({ period, unit, spent: 1512, limit: 1500 }), translate).what;
    expect(reached('day', 'tokens')).toBe('This request would exceed the budget for today (1,512 of 1,500 tokens), so it was not sent.');
    expect(reached('turn', 'dollars')).toBe(
      'This request would exceed the budget per answer ($1,512.00 of $1,500.00), so it was not sent.',
    );
    expect(reached('day', 'tokens', zh)).toContain('今天的预算（1,512 / 1,500 个词元）');
    expect(errorLabel({ code: 'budget_reached', message: 'as it was said before', next: '' }, t).what).toContain('exceed the budget, so');
    const asked = { model: 'm1', first: false };
    expect(errorLabel(priceMissing('m1'), t, asked).what).toContain('the price of “m1” is not known');
    expect(failureActions({ status: 'error', error: priceMissing('m1') }, false)).toEqual(['model', 'retry']);
    expect(HELPS.filter(({ codes }) => codes?.includes('model_no_price'))).toMatchObject([{ label: 'action.price', part: 'prices' }]);
  });

  it('names no model where none is known', () => {
    const missing = { code: 'model_not_found', message: 'no', next: '' } as const;
    expect(errorLabel(missing, t).what).toBe('The provider does not have this model.');
    expect(errorLabel(priceMissing('m1'), t).what).toContain('the price of the model is not known');
    expect([callErrorLabel(missing, t), callErrorLabel(missing, zh)]).toEqual([
      'The provider does not have this model.',
      '模型服务商没有这个模型。',
    ]);
  });

  it('has words of its own for every code, in both languages', () => {
    const message = 'what the model read';
    const said = (translate: typeof t) => ERROR_CODES.map((code) => callErrorLabel({ code, message, next: 'x' }, translate));
    expect(said(t).filter((words) => words === '')).toEqual([]);
    const foreign = ERROR_CODES.filter((_code, index) => !/[\u4e00-\u9fff]/u.test(said(zh)[index] ?? ''));
    expect(foreign).toEqual([]);
  });

  it('makes one sentence of what the model gets', () => {
    expect(callErrorLabel({ code: 'not_found', message: 'no block has this id', next: 'search_notes for it' }, t)).toBe(
      'No block has this id.',
    );
    expect(callErrorLabel({ code: 'stale', message: 'the block changed', next: 'read it again' }, zh)).toBe('内容刚被改过，没有写入。');
    expect(callErrorLabel({ code: 'other', message: 'Something broke!', next: '' }, t)).toBe('Something broke!');
  });
});
