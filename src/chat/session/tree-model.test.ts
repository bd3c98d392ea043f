import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPayload, callRecord, counter, steppingClock, userPayload } from '../testing/samples.ts';
import { threadOf } from './thread.ts';
import { TreeModel } from './tree-model.ts';

function tree(): TreeModel {
  return new TreeModel({ newId: counter('n'), now: steppingClock().now, device: 'd1' });
}

describe('TreeModel', () => {
  it('grows a thread, branches from an earlier message and keeps the other branch', () => {
    const model = tree();
    const first = model.append({ role: 'user', payload: userPayload('v1', 'a') });
    const answer = model.append({ role: 'assistant', payload: answerPayload('v2', 'b') });
    const branch = model.append({ role: 'assistant', payload: answerPayload('v3', 'c'), parent: first.id });
    expect(model.thread().map((one) => one.id)).toEqual([first.id, branch.id]);
    expect(model.thread(answer.id).map((one) => one.id)).toEqual([first.id, answer.id]);
    expect(model.snapshot().rootId).toBe(first.id);
    expect(() => model.append({ role: 'user', payload: userPayload('v4', 'd'), parent: 'nowhere' })).toThrow('no node nowhere');
  });

  it('gives a list that stays as it is, and the same one as long as nothing changed', () => {
    const model = tree();
    model.append({ role: 'user', payload: userPayload('v1', 'a') });
    const before = model.thread();
    expect(model.thread()).toBe(before);
    model.append({ role: 'assistant', payload: answerPayload('v2', 'b') });
    expect(model.thread().map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(before.map(({ role }) => role)).toEqual(['user']);
  });

  it('adds versions, selects them, and never changes a closed one', () => {
    const model = tree();
    const { id } = model.append({ role: 'assistant', payload: answerPayload('v1', 'one') });
    model.addVersion(id, answerPayload('v2', ''));
    model.openVersion(id);
    model.updatePayload(id, { message: { role: 'assistant', content: 'two' } });
    model.closeVersion(id);
    expect(model.payload(id).message.content).toBe('two');
    expect(() => model.updatePayload(id, { status: 'error' })).toThrow('closed');
    expect(() => model.addVersion(id, answerPayload('v1', 'again'))).toThrow('exists');
    model.selectVersion(id, 'v1');
    expect(model.payload(id).message.content).toBe('one');
    expect(Object.keys(model.node(id).versions)).toEqual(['v1', 'v2']);
  });

  it('leaves a tombstone out of the thread, and what follows it in', () => {
    const model = tree();
    const [first, second, third] = ['a', 'b', 'c'].map(
      (text, index) => model.append({ role: 'user', payload: userPayload(`v${index}`, text) }).id,
    );
    model.tombstone(second!);
    expect(model.thread().map((one) => one.id)).toEqual([first, third]);
    expect(model.node(second!)).toMatchObject({ deleted: true, changed: { device: 'd1' } });
  });

  it('knows the notes of every message, whichever way it came in and however it changed', () => {
    const note = (document: string) => ({ id: document, kind: 'document' as const, title: document, text: '', sources: [{ document }] });
    const record = callRecord('c1');
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const read = { ...record, result: { ...record.result, sources: [{ document: 'read' }] } };
    const model = tree();
    model.append({ role: 'user', payload: userPayload('v1', 'a'), context: [note('attached')] });
    expect(model.sources()).toEqual([{ document: 'attached' }]);
    const { id } = model.append({ role: 'assistant', payload: answerPayload('v2', '') });
    model.openVersion(id);
    expect(model.sources()).toHaveLength(1);
    model.updatePayload(id, { toolChainResult: { toolCallHistory: [read], rounds: [], stats, status: 'completed' } });
    expect(model.sources()).toEqual([{ document: 'attached' }, { document: 'read' }]);
    const reopened = new TreeModel({ newId: counter('m'), now: steppingClock().now, device: 'd2' }, model.snapshot());
    expect(reopened.sources()).toEqual(model.sources());
    reopened.append({ role: 'user', payload: userPayload('v3', 'b'), context: [note('elsewhere')] });
    reopened.tombstone(id);
    model.merge(reopened.snapshot(), false);
    expect(model.sources()).toEqual([{ document: 'attached' }, { document: 'read' }, { document: 'elsewhere' }]);
  });

  it('ends a thread at a circle or at a missing parent instead of hanging', () => {
    const payload = userPayload('v', 'x');
    const make = (id: string, parent: string) => ({
      id,
      role: 'user' as const,
      parent,
      versions: { v: payload },
      currentVersionId: 'v',
      changed: { time: 1, device: 'd' },
    });
    expect(threadOf({ nodes: { a: make('a', 'b'), b: make('b', 'a') }, rootId: 'a', leafId: 'a' }, 'a').map((one) => one.id)).toEqual([
      'b',
      'a',
    ]);
    expect(threadOf({ nodes: { a: make('a', 'gone') }, rootId: null, leafId: 'a' }, 'a').map((one) => one.id)).toEqual(['a']);
  });

  it('property: every thread is a path of parents, snapshots never change, versions only grow', () => {
    const step = fc.record({ kind: fc.constantFrom('append', 'branch', 'version', 'tombstone', 'hide', 'leaf'), pick: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model = tree();
        const newVersion = counter('v');
        const past: { snapshot: ReturnType<TreeModel['snapshot']>; json: string }[] = [];
        for (const { kind, pick } of steps) {
          const ids = Object.keys(model.snapshot().nodes);
          const id = ids[pick % Math.max(1, ids.length)];
          const payload = userPayload(newVersion(), 'x');
          if (id === undefined || kind === 'append') model.append({ role: 'user', payload });
          else if (kind === 'branch') model.append({ role: 'assistant', payload, parent: id });
          else if (kind === 'version') model.addVersion(id, payload);
          else if (kind === 'tombstone') model.tombstone(id);
          else if (kind === 'hide') model.setHidden(id, true);
          else model.setLeaf(id);
          const snapshot = model.snapshot();
          expect([snapshot.leafId, Object.values(snapshot.nodes)]).toEqual([model.leaf, [...model.all()]]);
          past.push({ snapshot, json: JSON.stringify(snapshot) });
        }
        const versions = (snapshot: ReturnType<TreeModel['snapshot']>) =>
          Object.values(snapshot.nodes).flatMap((node) => Object.keys(node.versions));
        for (const [index, { snapshot, json }] of past.entries()) {
          expect(JSON.stringify(snapshot)).toBe(json);
          const later = new Set(versions(past.at(-1)!.snapshot));
          expect(versions(snapshot).every((version) => later.has(version))).toBe(true);
          if (index > 0)
            expect(Object.keys(snapshot.nodes).length).toBeGreaterThanOrEqual(Object.keys(past[index - 1]!.snapshot.nodes).length);
        }
        for (const leaf of Object.keys(model.snapshot().nodes)) {
          const whole = new Set<string>();
          for (let id: string | null = leaf; id !== null; id = model.node(id).parent) whole.add(id);
          expect(model.thread(leaf).map((node) => node.id)).toEqual([...whole].reverse().filter((id) => !model.node(id).deleted));
        }
      }),
      { numRuns: 200 },
    );
  });
});
