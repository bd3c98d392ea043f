import { describe, expect, it } from 'vitest';
import { ALWAYS_FITS, ModelWindow, statedWindow, windowMemory } from './model-window.ts';
import { servedWindow } from './server/server-window.ts';

function make(model: string, served: unknown = null, memory = windowMemory()) {
  let asked = 0;
  const window = new ModelWindow({
    ...{ model, memory, key: model },
    served: async () => {
      asked += 1;
      if (served instanceof Error) throw served;
      return servedWindow(served, model);
    },
  });
  return { window, memory, asked: () => asked };
}

describe('the window of a model', () => {
  it.each([
    ['gpt-4o-mini', 96_000],
    ['openai/gpt-4.1', 785_682],
    ['claude-sonnet-4', 150_000],
    ['gpt-4', 6144],
  ])('of %s comes from its name, and nobody is asked', async (model, tokens) => {
    const { window, asked } = make(model, { data: [{ id: model, context_length: 1000 }] });
    expect(await window.tokens(50_000)).toBe(tokens);
    expect(asked()).toBe(0);
  });

  it('of another comes from what the provider serves, asked once and not for a request that fits anywhere', async () => {
    const { window, asked } = make('local', { data: [{ id: 'other' }, { id: 'local', meta: { n_ctx: 16_384 } }] });
    expect(await window.tokens(ALWAYS_FITS)).toBeUndefined();
    expect(asked()).toBe(0);
    expect(await window.tokens(7000)).toBe(12_288);
    await window.tokens(7000);
    expect(asked()).toBe(1);
  });

  it('counts in estimated tokens, corrected by what the server counted', async () => {
    const { window } = make('gpt-4');
    window.counted(100, 400);
    expect(await window.tokens(50_000)).toBe(6144);
    window.counted(2000, 3000);
    expect(await window.tokens(50_000)).toBe(4096);
    window.counted(2000, 90_000);
    expect(await window.tokens(50_000)).toBe(2048);
    window.counted(2000, 1500);
    expect(await window.tokens(50_000)).toBe(6144);
  });

  it('of one that nobody knows is bounded all the same', async () => {
    expect(await make('mystery').window.tokens(7000)).toBe(24_000);
    expect(await make('mystery', new Error('404')).window.tokens(7000)).toBe(24_000);
  });

  it('is learnt from an overflow, by what the server says or by what was too long, and remembered beyond the page', async () => {
    const { window, memory } = make('local', { data: [{ id: 'local', context_length: 100_000 }] });
    window.readLimit('request exceeds the available context size (8192 tokens)');
    window.overflowed(20_000);
    expect(await window.tokens(1)).toBe(6144);
    window.readLimit('no number here');
    window.overflowed(4000);
    expect(await make('local', null, memory).window.tokens(1)).toBe(3000);
  });

  it('never grows by a later overflow of a longer request', async () => {
    const { window } = make('local');
    window.overflowed(4000);
    window.overflowed(40_000);
    expect(await window.tokens(1)).toBe(3000);
  });
});

describe('the window of a model on this machine', () => {
  function local(...sizes: readonly (number | undefined | Error)[]) {
    const queue = [...sizes];
    const memory = windowMemory();
    let time = 0;
    let asked = 0;
    const window = new ModelWindow({
      ...{ model: 'gpt-4o', key: 'k', memory, isLocal: true },
      now: () => time,
      served: async () => {
        asked += 1;
        const size = queue.shift();
        if (size instanceof Error) throw size;
        return size;
      },
    });
    return {
      window,
      memory,
      asked: () => asked,
      later: () => {
        time += 60_000;
      },
    };
  }

  it('is what the server says, also for a short request, and whatever an overflow taught', async () => {
    const { window, memory, asked } = local(4096);
    memory.set('k', 1000);
    expect(await window.tokens(10)).toBe(3072);
    expect(memory.get('k')).toBeUndefined();
    await window.tokens(10);
    expect(asked()).toBe(1);
  });

  it('follows a server that was started anew, after a while and at once after an overflow', async () => {
    const { window, asked, later } = local(4096, 8192, 2048);
    await window.tokens(10);
    later();
    expect(await window.tokens(10)).toBe(6144);
    window.overflowed(5000);
    expect(await window.tokens(10)).toBe(1536);
    expect(asked()).toBe(3);
  });

  it('is less where our estimate was too low, until it has another', async () => {
    const { window, later } = local(4096, 4096, 8192);
    await window.tokens(10);
    window.overflowed(2000);
    expect(await window.tokens(10)).toBe(1500);
    later();
    expect(await window.tokens(10)).toBe(6144);
  });

  it('stays what it was where the server does not answer now; where it never says, an overflow and the name count', async () => {
    const busy = local(4096, new Error('busy'));
    await busy.window.tokens(10);
    busy.later();
    expect(await busy.window.tokens(10)).toBe(3072);
    const silent = local(undefined, undefined, undefined);
    expect(await silent.window.tokens(7000)).toBe(96_000);
    silent.window.overflowed(4000);
    expect(await silent.window.tokens(10)).toBe(3000);
  });
});

describe('what servers say', () => {
  it.each([
    ["This model's maximum context length is 8,192 tokens. However, your messages resulted in 9000 tokens.", 8192],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
    ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
    ['too many tokens', undefined],
  ])('%s', (words, size) => {
    expect(statedWindow(words)).toBe(size);
  });

  it.each(['context_length', 'context_window', 'max_context_length', 'max_model_len'])('%s of a list of models', (field) => {
    expect(servedWindow({ data: [{ id: 'm', [field]: 4096 }] }, 'm')).toBe(4096);
    expect(servedWindow({ data: [{ id: 'm', [field]: '4096' }] }, 'm')).toBeUndefined();
    expect(servedWindow({ data: 'none' }, 'm')).toBeUndefined();
  });
});

describe('what overflows taught', () => {
  const restarted = (kept: Map<string, string>) => windowMemory(kept).get('m');

  it('counts at once, and stays after the second, or where the server named its size', () => {
    const kept = new Map<string, string>();
    const memory = windowMemory(kept);
    memory.set('m', 3000);
    expect([memory.get('m'), restarted(kept)]).toEqual([3000, undefined]);
    memory.set('m', 2000);
    expect(restarted(kept)).toBe(2000);
    memory.set('n', 4000, true);
    expect(windowMemory(kept).get('n')).toBe(4000);
  });

  it('is forgotten, and no damaged size is one', () => {
    const kept = new Map([['m', 'x']]);
    const memory = windowMemory(kept);
    expect(memory.get('m')).toBeUndefined();
    memory.set('m', 2000, true);
    memory.remove('m');
    expect([memory.get('m'), restarted(kept)]).toEqual([undefined, undefined]);
  });
});
