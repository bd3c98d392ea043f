import { describe, expect, it } from 'vitest';
import { callMemory } from './call-memory.ts';

describe('what is learned of how a model calls tools', () => {
  it('takes a refusal of two turns, however often one turn had it', () => {
    const memory = callMemory();
    const turn = {};
    for (let times = 0; times < 3; times += 1) memory.note('tools', 'm', turn);
    expect(memory.has('tools', 'm')).toBe(false);
    memory.note('tools', 'm', {});
    expect([memory.has('tools', 'm'), memory.has('tools', 'other'), memory.has('stop', 'm')]).toEqual([true, false, false]);
  });

  it('drops a refusal that the server does not repeat', () => {
    const memory = callMemory();
    memory.note('tools', 'm', {});
    memory.accept('tools', 'm');
    memory.note('tools', 'm', {});
    expect(memory.has('tools', 'm')).toBe(false);
  });

  it('takes what the server publishes at once, and withdraws it with the server', () => {
    const memory = callMemory();
    memory.state('tools', 'm', true);
    expect([memory.has('tools', 'm'), memory.isStated('tools', 'm')]).toEqual([true, true]);
    memory.accept('tools', 'm');
    expect(memory.has('tools', 'm')).toBe(true);
    memory.state('tools', 'm', false);
    expect(memory.has('tools', 'm')).toBe(false);
  });

  it('does not withdraw what was refused because nothing is published', () => {
    const memory = callMemory();
    for (const turn of [{}, {}]) memory.note('tools', 'm', turn);
    memory.state('tools', 'm', false);
    expect(memory.has('tools', 'm')).toBe(true);
  });

  it('keeps evidence over a restart; what one refusal taught an older version does not count', () => {
    const kept = new Map([['tools:old', '1']]);
    expect(callMemory(kept).has('tools', 'old')).toBe(false);
    callMemory(kept).note('tools', 'm', {});
    callMemory(kept).note('tools', 'm', {});
    expect(callMemory(kept).has('tools', 'm')).toBe(true);
  });

  it('shows a notice once', () => {
    const memory = callMemory();
    memory.note('told', 'm', {});
    expect(memory.has('told', 'm')).toBe(true);
  });

  it('forgets one model or all', () => {
    const memory = callMemory();
    for (const key of ['m', 'n']) memory.state('tools', key, true);
    for (const turn of [{}, {}]) memory.note('stop', 'm', turn);
    memory.forget('m');
    expect([memory.has('tools', 'm'), memory.has('stop', 'm'), memory.has('tools', 'n')]).toEqual([false, false, true]);
    memory.forget();
    expect(memory.has('tools', 'n')).toBe(false);
  });

  it('takes damaged evidence for none', () => {
    const memory = callMemory(new Map([['tools:m', 'x']]));
    expect(memory.has('tools', 'm')).toBe(false);
    for (const turn of [{}, {}]) memory.note('tools', 'm', turn);
    expect(memory.has('tools', 'm')).toBe(true);
  });
});
