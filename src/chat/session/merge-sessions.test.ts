import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPayload, callRecord, node, session, userPayload } from '../testing/samples.ts';
import { mergeSessions, stampChanges } from './merge-sessions.ts';
import { TreeModel } from './tree-model.ts';
import type { Session } from './types.ts';

const base = session('s1');
const step = fc.record({
  kind: fc.constantFrom(
    'say',
    'branch',
    'version',
    'stream',
    'delete',
    'restore',
    'hide',
    'pin',
    'select',
    'title',
    'tag',
    'allow',
    'vars',
    'new',
  ),
  pick: fc.nat({ max: 30 }),
  /** Small, so that two devices often change one thing at one time. */
  time: fc.integer({ min: 1, max: 6 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a device makes of a chat by working on it. */
function work(device: string, start: Session, steps: readonly Step[]): Session {
  let time = 1;
  let count = 0;
  const tree = new TreeModel({ newId: () => `${device}${++count}`, now: () => time, device }, start);
  let rest: Session = start;
  for (const { kind, pick, time: at } of steps) {
    time = at;
    let after = rest;
    const ids = Object.keys(tree.snapshot().nodes);
    const id = ids[pick % Math.max(1, ids.length)] ?? 'n1';
    const payload = { ...answerPayload(`${device}v${++count}`, `${kind}${pick}`), created: at };
    if (kind === 'say') tree.append({ role: 'user', payload });
    else if (kind === 'branch') tree.append({ role: 'user', payload, parent: tree.node(id).parent });
    else if (kind === 'version') tree.addVersion(id, payload);
    else if (kind === 'stream') {
      // The same version id on two devices: one saved it while it was being written.
      if (!tree.node(id).versions.shared) tree.addVersion(id, { ...answerPayload('shared', ''), status: 'interrupted' });
      tree.selectVersion(id, 'shared');
      tree.openVersion(id);
      const { message, status } = tree.payload(id);
      const content = message.content + 'x'.repeat(pick);
      if (status === 'interrupted') tree.updatePayload(id, { message: { role: 'assistant', content }, status: pick % 2 ? 'done' : status });
      tree.closeVersion(id);
    } else if (kind === 'delete') tree.tombstone(id);
    else if (kind === 'restore') tree.restore(id);
    else if (kind === 'hide') tree.setHidden(id, pick % 2 === 0);
    else if (kind === 'pin') tree.setPinned(id, pick % 2 === 0);
    else if (kind === 'select') tree.selectBranch(id);
    else if (kind === 'title') after = { ...rest, title: `${device}${pick}`, updated: rest.updated + pick };
    else if (kind === 'tag') after = { ...rest, tags: [`${pick}`], archived: pick % 2 === 0 };
    else if (kind === 'allow') after = { ...rest, approvals: pick % 2 ? [] : [{ tool: 't', scope: `${pick}` }] };
    else if (kind === 'vars') {
      const kept = rest.variables.filter((one) => one.name !== `n${pick % 3}`);
      // Variables carry no device: only clocks that run forward can tell which value is newer.
      const created = Math.max(at, 1 + (rest.variables.find((one) => one.name === `n${pick % 3}`)?.created ?? 0));
      after = { ...rest, variables: [...kept, { name: `n${pick % 3}`, type: 'LLMAdd', value: `${device}${pick}`, created }] };
    } else after = { ...rest, ...{ future: pick } };
    rest = stampChanges(rest, { ...after, ...tree.snapshot() }, { time, device });
  }
  return rest;
}
const replica = (device: string) => fc.array(step, { maxLength: 12 }).map((steps) => work(device, base, steps));

describe('mergeSessions', () => {
  it('property: commutative, associative, idempotent', () => {
    fc.assert(
      fc.property(replica('a'), replica('b'), replica('c'), (a, b, c) => {
        const ab = mergeSessions(a, b);
        expect(mergeSessions(b, a)).toEqual(ab);
        expect(mergeSessions(mergeSessions(a, b), c)).toEqual(mergeSessions(a, mergeSessions(b, c)));
        expect(mergeSessions(a, { ...a })).toEqual(a);
        expect(mergeSessions(ab, b)).toEqual(ab);
      }),
      { numRuns: 400 },
    );
  });

  it('property: the same devices in several rounds agree in the end, whatever arrived first', () => {
    const steps = fc.array(step, { maxLength: 6 });
    fc.assert(
      fc.property(steps, steps, steps, steps, (one, two, three, four) => {
        const a = work('a', base, one);
        const b = work('b', mergeSessions(base, a), two);
        const a2 = work('A', a, three);
        const c = work('c', mergeSessions(b, a2), four);
        expect(mergeSessions(mergeSessions(a2, b), c)).toEqual(mergeSessions(c, mergeSessions(b, mergeSessions(a2, a))));
      }),
      { numRuns: 400 },
    );
  });

  it('property: no message and no version of either is lost, and the result is a chat that can be shown', () => {
    fc.assert(
      fc.property(replica('a'), replica('b'), (a, b) => {
        const merged = mergeSessions(a, b);
        for (const side of [a, b]) {
          for (const { id, versions } of Object.values(side.nodes)) {
            expect(Object.keys(merged.nodes[id]?.versions ?? {})).toEqual(expect.arrayContaining(Object.keys(versions)));
          }
        }
        for (const { versions, currentVersionId } of Object.values(merged.nodes)) expect(versions[currentVersionId]).toBeDefined();
        if (merged.leafId !== null) expect(merged.nodes[merged.leafId]).toBeDefined();
      }),
    );
  });

  it('keeps what both devices wrote as two branches, the newer one shown', () => {
    const mine = work('a', base, [{ kind: 'say', pick: 1, time: 3 }]);
    const theirs = work('b', base, [{ kind: 'say', pick: 2, time: 5 }]);
    const tree = new TreeModel({ newId: () => 'x', now: () => 9, device: 'a' }, mergeSessions(mine, theirs));
    expect(tree.thread().map((one) => one.id)).toEqual(['n1', 'n2', 'b2']);
    expect(tree.branches('b2')).toEqual(['a2', 'b2']);
  });

  it('a deletion wins over a later change elsewhere, its undo over the deletion', () => {
    const deleted = work('a', base, [{ kind: 'delete', pick: 0, time: 2 }]);
    const pinned = work('b', base, [{ kind: 'pin', pick: 0, time: 6 }]);
    expect(mergeSessions(pinned, deleted).nodes.n1).toMatchObject({ deleted: true, pinned: true });
    const back = work('c', deleted, [{ kind: 'restore', pick: 0, time: 1 }]);
    expect(mergeSessions(deleted, back).nodes.n1).not.toHaveProperty('deleted');
  });

  it('the finished answer stands against the one that was saved while it was written', () => {
    const half = node('n2', 'assistant', 'n1', answerPayload('v2', 'half of it, at length', { status: 'interrupted' }));
    const whole = node('n2', 'assistant', 'n1', answerPayload('v2', 'whole'));
    const merged = mergeSessions(session('s1', { nodes: { n2: half } }), session('s1', { nodes: { n2: whole } }));
    expect(merged.nodes.n2?.versions.v2?.message.content).toBe('whole');
  });

  it('consent that was revoked later stays revoked', () => {
    const allowed = work('a', base, [{ kind: 'allow', pick: 2, time: 2 }]);
    const revoked = work('b', allowed, [{ kind: 'allow', pick: 1, time: 4 }]);
    expect(mergeSessions(allowed, revoked).approvals).toEqual([]);
  });

  it('hands out the untouched nodes as they were', () => {
    const theirs = work('b', base, [{ kind: 'say', pick: 2, time: 5 }]);
    const merged = mergeSessions(base, structuredClone(theirs));
    expect(merged.nodes.n1).toBe(base.nodes.n1);
    expect(() => mergeSessions(base, session('s2'))).toThrow('two chats');
  });
});

describe('TreeModel.merge', () => {
  it('takes in what came from outside without touching the answer that is being written', () => {
    const tree = new TreeModel({ newId: () => 'mine', now: () => 5, device: 'a' }, base);
    tree.append({ role: 'assistant', payload: answerPayload('live', '', { status: 'interrupted' }) });
    tree.openVersion('mine');
    tree.updatePayload('mine', { message: { role: 'assistant', content: 'so far' } });
    const echo = { ...tree.node('mine'), versions: { live: answerPayload('live', 'cut off by another window') } };
    const foreign = node('theirs', 'user', 'n2', userPayload('t', 'meanwhile'));
    tree.merge({ nodes: { ...base.nodes, mine: echo, theirs: foreign }, rootId: 'n1', leafId: 'theirs' }, false);
    expect(tree.payload('mine').message.content).toBe('so far');
    expect(tree.thread().at(-1)?.id).toBe('mine');
    expect(tree.branches('mine')).toEqual(['theirs', 'mine']);
    tree.updatePayload('mine', { status: 'done' });
    expect(tree.payload('mine').status).toBe('done');
  });
});

describe('an answer that was saved while it was written', () => {
  it('is the one in which more calls are done, though it may say less', () => {
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 0, startTime: 1, endTime: 1 };
    const state = (status: 'interrupted' | 'success', content: string): Session => {
      const record = callRecord('c1', { result: { status, preview: '' } });
      const chain = { toolCallHistory: [record], rounds: [{ text: '', callIds: ['c1'] }], stats, status: 'aborted' as const };
      const answer = node('n2', 'assistant', 'n1', answerPayload('v2', content, { status: 'interrupted', toolChainResult: chain }));
      return { ...base, nodes: { ...base.nodes, n2: answer } };
    };
    const [early, late] = [state('interrupted', 'It was cut off, look whether it was done.'), state('success', 'Done.')];
    for (const [one, other] of [
      [early, late],
      [late, early],
    ] as const)
      expect(mergeSessions(one, other).nodes.n2?.versions.v2?.message.content).toBe('Done.');
  });
});
