import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPayload, counter, steppingClock, userPayload } from '../testing/samples.ts';
import { TreeModel } from './tree-model.ts';

function talk() {
  const version = counter('v');
  const clock = steppingClock();
  const model = new TreeModel({ newId: counter('n'), now: clock.now, device: 'd1' });
  const say = (text: string, parent?: string | null): string => {
    const payload = { ...userPayload(version(), text), created: clock.now() };
    return model.append({ role: 'user', payload, ...(parent === undefined ? {} : { parent }) }).id;
  };
  const texts = (): readonly string[] => model.thread().map((node) => model.payload(node.id).message.content);
  return { model, say, texts, version, clock };
}

describe('branches and versions', () => {
  it('a question in other words is a sibling, and switching back finds the end of the old branch', () => {
    const { model, say, texts } = talk();
    const first = say('first');
    const old = say('old');
    say('old answer');
    const edited = say('edited', first);
    say('new answer');
    expect(texts()).toEqual(['first', 'edited', 'new answer']);
    expect(model.position(edited)).toEqual({ versions: 1, version: 1, branches: 2, branch: 2 });
    expect(model.branches(edited)).toEqual([old, edited]);
    model.selectBranch(old);
    expect(texts()).toEqual(['first', 'old', 'old answer']);
    expect(model.position(first)).toEqual({ versions: 1, version: 1, branches: 1, branch: 1 });
  });

  it('remembers at each fork which way was shown, also in the saved tree', () => {
    const { model, say, texts } = talk();
    const root = say('root');
    const left = say('left');
    const deep = say('left, first');
    say('left, second', left);
    model.selectBranch(deep);
    const right = say('right', root);
    const reopened = new TreeModel({ newId: counter('m'), now: () => 1, device: 'd2' }, model.snapshot());
    for (const tree of [model, reopened]) {
      tree.selectBranch(left);
      expect(tree.thread().at(-1)?.id).toBe(deep);
      tree.selectBranch(right);
    }
    expect(texts()).toEqual(['root', 'right']);
  });

  it('the first message has branches too', () => {
    const { model, say, texts } = talk();
    const one = say('one');
    const other = say('other', null);
    expect(model.branches(other)).toEqual([one, other]);
    expect(texts()).toEqual(['other']);
    model.selectBranch(one);
    expect(texts()).toEqual(['one']);
    expect(model.snapshot().rootId).toBe(one);
  });

  it('counts versions from the oldest, and shows the chosen one', () => {
    const { model, say } = talk();
    const id = say('one');
    model.addVersion(id, { ...answerPayload('z', 'two'), created: Number.MAX_SAFE_INTEGER });
    expect(model.position(id)).toMatchObject({ versions: 2, version: 2 });
    model.selectVersion(id, model.versions(id)[0]!);
    expect(model.position(id)).toMatchObject({ versions: 2, version: 1 });
  });

  it('a version that is being written stays writable while another is shown', () => {
    const { model, say } = talk();
    const id = say('one');
    const [first] = model.versions(id);
    model.addVersion(id, answerPayload('late', ''));
    model.openVersion(id);
    model.selectVersion(id, first!);
    model.updatePayload(id, { message: { role: 'assistant', content: 'two' } });
    model.closeVersion(id);
    expect(model.payload(id).message.content).toBe('one');
    expect(model.node(id).versions.late?.message.content).toBe('two');
  });

  it('deleting takes one message out, its branches stay reachable, and undo brings it back as it was', () => {
    const { model, say, texts } = talk();
    say('root');
    const question = say('question');
    const answer = say('answer');
    const edited = say('edited', model.node(question).parent);
    model.selectBranch(question);
    model.tombstone(question);
    expect(texts()).toEqual(['root', 'answer']);
    expect(model.branches(answer)).toEqual([answer, edited]);
    model.restore(question);
    expect(texts()).toEqual(['root', 'question', 'answer']);
    expect(model.node(question)).toMatchObject({ restored: 1 });
    expect(model.node(question)).not.toHaveProperty('deleted');
    model.restore(question);
    expect(model.node(question).restored).toBe(1);
  });

  it('gives the same thread until something changes, then another list', () => {
    const { model, say } = talk();
    const id = say('one');
    const before = model.thread();
    expect(model.thread()).toBe(before);
    model.setPinned(id, true);
    expect(model.thread()).not.toBe(before);
    expect(model.thread()[0]).toMatchObject({ pinned: true });
    expect(before[0]).not.toHaveProperty('pinned');
  });

  it('property: whatever was done, every living message can be reached by switching branches, and counts are in range', () => {
    const step = fc.record({ kind: fc.constantFrom('say', 'edit', 'delete', 'restore', 'switch'), pick: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { model, say } = talk();
        for (const { kind, pick } of steps) {
          const ids = Object.keys(model.snapshot().nodes);
          const id = ids[pick % Math.max(1, ids.length)];
          if (id === undefined || kind === 'say') say('x');
          else if (kind === 'edit') say('y', model.node(id).parent);
          else if (kind === 'delete') model.tombstone(id);
          else if (kind === 'restore') model.restore(id);
          else model.selectBranch(id);
        }
        for (const node of Object.values(model.snapshot().nodes)) {
          if (node.deleted) continue;
          model.selectBranch(node.id);
          expect(model.thread().map((one) => one.id)).toContain(node.id);
          const { branch, branches } = model.position(node.id);
          expect(model.branches(node.id)[branch - 1]).toBe(node.id);
          expect(branches).toBe(model.branches(node.id).length);
        }
      }),
    );
  });
});
