import { describe, expect, it } from 'vitest';
import type { Broadcast } from '../ports/broadcast.ts';
import { answerPayload, node, session, userPayload } from '../testing/samples.ts';
import { joinChannels, Peers } from './peers.ts';
import { createMemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';
import { onlyWriter } from './window-registry.ts';

/** A kernel's channel: what one sends, all others hear at once. */
class Kernel {
  private readonly members: { readonly hear: Set<(text: string) => void>; readonly back: Set<() => void>; deaf: boolean }[] = [];
  readonly said: string[] = [];

  /** The last one may be made deaf, as one that crashed. */
  deafen(place: number): void {
    const member = this.members[place];
    if (member) member.deaf = true;
  }

  reconnect(): void {
    for (const { back } of this.members) for (const listener of back) listener();
  }

  join(): Broadcast {
    const me = { hear: new Set<(text: string) => void>(), back: new Set<() => void>(), deaf: false };
    this.members.push(me);
    return {
      send: (text) => {
        if (me.deaf) return;
        this.said.push(text);
        for (const other of this.members) if (other !== me && !other.deaf) for (const listener of other.hear) listener(text);
      },
      subscribe: (listener) => void me.hear.add(listener),
      onBack: (listener) => void me.back.add(listener),
    };
  }
}

/** Time goes on by what is waited for. */
class Clock {
  now = 1_000_000;
  readonly wait = async (milliseconds: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    this.now += milliseconds;
  };
}

function open(kernel: Kernel, clock: Clock, device: string) {
  const end = new AbortController();
  const peers = new Peers({
    ...{ broadcast: kernel.join(), registry: onlyWriter(device), device, signal: end.signal },
    ...{ now: () => clock.now, wait: clock.wait },
  });
  return { peers, end: () => end.abort() };
}

describe('programs on one kernel', () => {
  it('tell each other what they write, not those of their own device, which have a channel of their own', () => {
    const [kernel, clock] = [new Kernel(), new Clock()];
    const [panel, twin, service] = ['panel', 'panel', 'service'].map((device) => open(kernel, clock, device).peers);
    const heard: (string | null)[] = [];
    panel?.subscribe((id) => heard.push(id));
    service?.post('s1');
    twin?.post('s2');
    expect(heard).toEqual(['s1']);
    kernel.reconnect();
    expect(heard).toEqual(['s1', null]);
  });

  it('answer when they are asked for by name; who does not is not there, and is left alone for a while', async () => {
    const [kernel, clock] = [new Kernel(), new Clock()];
    const [panel, service] = ['panel', 'service'].map((device) => open(kernel, clock, device).peers);
    expect(await panel?.others(['service', 'old'])).toEqual(new Set(['service']));
    const asked = kernel.said.length;
    expect(await panel?.others(['old'])).toEqual(new Set());
    expect(kernel.said.length).toBe(asked);
    expect(await service?.others(['panel'])).toEqual(new Set(['panel']));
  });

  it('are gone when they say so, or answer no more', async () => {
    const [kernel, clock] = [new Kernel(), new Clock()];
    const panel = open(kernel, clock, 'panel').peers;
    const service = open(kernel, clock, 'service');
    const other = open(kernel, clock, 'other');
    const [gone, crashed] = [panel.gone('service'), panel.gone('other')];
    service.end();
    await gone;
    expect(await panel.others(['service', 'other'])).toEqual(new Set(['other']));
    kernel.deafen(2);
    await crashed;
    expect(await panel.others(['other'])).toEqual(new Set());
    other.end();
  });

  it('leave alone what others say on the channel', async () => {
    const [kernel, clock] = [new Kernel(), new Clock()];
    const panel = open(kernel, clock, 'panel').peers;
    const heard: (string | null)[] = [];
    panel.subscribe((id) => heard.push(id));
    for (const text of ['', 'hello', '{"type":"changed"}', '{"type":"other","writer":"x"}', '[]']) kernel.join().send(text);
    expect(heard).toEqual([]);
  });

  it('show a turn that runs in another, and take none of theirs for one that a crash cut off', async () => {
    const [kernel, clock] = [new Kernel(), new Clock()];
    const storage = createMemoryStorage();
    const store = (device: string, peers: Peers) =>
      createChatStore({ storage, device, now: () => ++clock.now, writers: peers, channel: joinChannels(peers, peers) });
    const panel = store('panel', open(kernel, clock, 'panel').peers);
    const other = open(kernel, clock, 'service');
    const service = store('service', other.peers);
    await service.save(session('s1'));
    await panel.load('s1');
    const asked = node('n3', 'user', 'n2', userPayload('v3', 'And then?'), { changed: { time: 50, device: 'service' } });
    const answer = node('n4', 'assistant', 'n3', answerPayload('v4', '', { status: 'interrupted' }), {
      changed: { time: 51, device: 'service' },
    });
    const head = { id: 's1', title: 'A chat', created: 1 };
    await service.turnLog('s1', () => undefined).add({ type: 'turn', head, nodes: [asked, answer], leafId: 'n4' });
    expect(await panel.load('s1')).toMatchObject({ elsewhere: ['n4'], recovered: false });
    expect(await panel.interrupted()).toEqual([]);
    const told = new Promise((resolve) => panel.subscribe(resolve));
    other.end();
    expect(await told).toEqual(['s1']);
    expect(await panel.load('s1')).toMatchObject({ elsewhere: [] });
    // It is the service's own, for when it starts again.
    expect(await storage.list('journal/s1')).not.toEqual([]);
  });
});
