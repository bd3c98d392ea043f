import { beforeEach, describe, expect, it, vi } from 'vitest';
import { programsHere } from '../../../app/device-storage.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { type AppDoorDeps, DeviceDoor, type LetIn } from './app-door.ts';

let text: string | undefined;
beforeEach(() => {
  text = undefined;
  vi.spyOn(programsHere, 'get').mockImplementation(() => text);
  vi.spyOn(programsHere, 'set').mockImplementation((now) => {
    text = now;
  });
});

function makeDoor(refusals: number[] = []) {
  const seen = { ports: [] as number[], closed: [] as number[], forgotten: [] as string[], inside: undefined as LetIn | undefined };
  const ended = new AbortController();
  let count = 0;
  const deps: AppDoorDeps = {
    newId: () => `id${++count}`,
    newToken: () => String(count).repeat(64),
    now: () => 1000,
    platform: 'linux',
    command: () => ({ file: 'siyuan', args: [], env: {} }),
    signal: ended.signal,
    async open(port, inside) {
      seen.ports.push(port);
      if (refusals.splice(0, 1).length > 0) throw new ToolError('port_taken', 'taken', 'close it');
      seen.inside = inside;
      return {
        url: `http://127.0.0.1:${port}/mcp`,
        forget: (id) => void seen.forgotten.push(id),
        close: () => void seen.closed.push(port),
      };
    },
  };
  return { door: new DeviceDoor(deps), seen, ended };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('programs of this computer', () => {
  it('find nothing that listens before the person switches it on', async () => {
    const { door, seen } = makeDoor();
    await settled();
    expect([seen.ports, door.state().isOn]).toEqual([[], false]);
    door.turn(true);
    await settled();
    expect([seen.ports, door.state().url]).toEqual([[6812], 'http://127.0.0.1:6812/mcp']);
  });

  it('are let in one by one, and told apart by their tokens', async () => {
    const { door, seen } = makeDoor();
    door.turn(true);
    const [one, other] = [door.letIn('Cursor'), door.letIn('')];
    await settled();
    const programs = seen.inside?.programs() ?? [];
    expect(programs.map(({ name, writes }) => [name, writes])).toEqual([
      ['Cursor', true],
      ['', true],
    ]);
    expect(programs[0]?.token).not.toBe(programs[1]?.token);
    seen.inside?.onCall(other);
    expect(door.state().programs.map(({ calledAt }) => calledAt)).toEqual([undefined, 1000]);
    door.remove(one);
    expect([seen.forgotten, seen.inside?.programs().map(({ id }) => id)]).toEqual([[one], [other]]);
    door.change(other, { writes: false, project: 'p1' });
    expect([seen.forgotten, seen.inside?.programs()[0]?.writes]).toEqual([[one, other], false]);
  });

  it('find nobody inside once the switch is off or the panel has ended', async () => {
    const { door, seen, ended } = makeDoor();
    door.turn(true);
    door.letIn('Cursor');
    await settled();
    door.turn(false);
    expect(seen.inside?.programs()).toEqual([]);
    await settled();
    expect([seen.closed, door.state().url]).toEqual([[6812], undefined]);
    door.turn(true);
    await settled();
    ended.abort();
    await settled();
    expect([seen.closed, seen.inside?.programs()]).toEqual([[6812, 6812], []]);
  });

  it('hear why nothing listens, and are heard at another port', async () => {
    const { door, seen } = makeDoor([1]);
    await settled();
    door.turn(true);
    await settled();
    expect([door.state().url, door.state().problem?.code]).toEqual([undefined, 'port_taken']);
    door.setPort(7000);
    await settled();
    expect([seen.ports, door.state().url, door.state().problem]).toEqual([[6812, 7000], 'http://127.0.0.1:7000/mcp', undefined]);
  });

  it('are the same in two windows, whichever of them was changed', async () => {
    const [one, other] = [makeDoor(), makeDoor()];
    one.door.turn(true);
    await settled();
    one.door.letIn('Cursor');
    other.door.letIn('Codex');
    expect(one.seen.inside?.programs().map(({ name }) => name)).toEqual(['Cursor', 'Codex']);
    other.door.turn(false);
    expect(one.seen.inside?.programs()).toEqual([]);
  });

  it('are kept on the device, and damaged text lets nobody in', async () => {
    const { door } = makeDoor();
    door.turn(true);
    door.letIn('Codex');
    const again = makeDoor();
    await settled();
    expect([again.door.state().programs.map(({ name }) => name), again.seen.ports]).toEqual([['Codex'], [6812]]);
    text = '{"isOn":true,"programs":[{"id":"x","name":"y","token":"short","writes":true}]}';
    const damaged = makeDoor();
    await settled();
    expect([damaged.door.state().isOn, damaged.door.state().programs]).toEqual([false, []]);
  });
});
