import * as v from 'valibot';
import { Listeners } from '../../tools/util/notify.ts';
import type { Broadcast } from '../ports/broadcast.ts';
import type { ChangeChannel } from './store-port.ts';
import { isOfDevice, type WindowRegistry } from './window-registry.ts';

/** `changed`: a chat or the log of its turn. `who`: the named programs, or all, must answer `here`. `bye`: the program ends. */
const messageFormat = v.variant('type', [
  v.object({ type: v.literal('changed'), writer: v.string(), chat: v.string() }),
  v.object({ type: v.literal('who'), writer: v.string(), named: v.array(v.string()) }),
  v.object({ type: v.literal('here'), writer: v.string() }),
  v.object({ type: v.literal('bye'), writer: v.string() }),
]);
type Message = v.InferOutput<typeof messageFormat>;

function readMessage(text: string): Message | undefined {
  try {
    const read = v.safeParse(messageFormat, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined; // From another version, or another program.
  }
}

/** Milliseconds in which a program must answer that it is here. */
const ANSWER_TIMEOUT_MS = 1_000;
/** Milliseconds for which a program counts as open after its last message. */
const FRESH = 5_000;
/** Milliseconds before a program that did not answer is asked again. */
const ASK_AGAIN_MS = 60_000;
/** Milliseconds between two questions to a program whose end is awaited. */
const WATCH_INTERVAL_MS = 5_000;

export interface PeersOptions {
  readonly broadcast: Broadcast;
  /** The registry of this program's device; see WindowRegistry. */
  readonly registry: WindowRegistry;
  readonly device: string;
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The programs of other devices with this workspace open: their turns are shown here, and not mistaken for ones that a crash cut off. */
export class Peers implements ChangeChannel, WindowRegistry {
  readonly id: string;
  private readonly options: PeersOptions;
  private readonly listeners = new Listeners<[id: string | null]>();
  private readonly heard = new Map<string, number>();
  private readonly silent = new Map<string, number>();
  private readonly waiting = new Set<() => void>();

  constructor(options: PeersOptions) {
    const { broadcast, registry, signal } = options;
    this.options = options;
    this.id = registry.id;
    broadcast.subscribe((text) => {
      const message = readMessage(text);
      // The other windows of this device have a channel of their own.
      if (message && !isOfDevice(message.writer, options.device)) this.hear(message);
    });
    broadcast.onBack(() => {
      this.listeners.call(null);
    });
    signal.addEventListener('abort', () => this.say({ type: 'bye', writer: this.id }));
  }

  post(chat: string): void {
    this.say({ type: 'changed', writer: this.id, chat });
  }

  subscribe(listener: (id: string | null) => void): () => void {
    return this.listeners.add(listener);
  }

  /** The other writers of this device, and those of `named` that answer. */
  async others(named: readonly string[] = []): Promise<ReadonlySet<string>> {
    const { registry, device } = this.options;
    const foreign = named.filter((writer) => !isOfDevice(writer, device));
    const [own, present] = await Promise.all([registry.others(), this.present(foreign)]);
    return new Set([...own, ...present]);
  }

  async gone(writer: string): Promise<void> {
    const { registry, device, wait, signal } = this.options;
    if (isOfDevice(writer, device)) return registry.gone(writer);
    while (!signal.aborted && (await this.present([writer])).length > 0) await Promise.race([wait(WATCH_INTERVAL_MS), this.next()]);
  }

  private async present(writers: readonly string[]): Promise<readonly string[]> {
    const { now, wait } = this.options;
    const isThere = (writer: string): boolean => now() - (this.heard.get(writer) ?? Number.NEGATIVE_INFINITY) < FRESH;
    const asked = writers.filter(
      (writer) => !isThere(writer) && now() - (this.silent.get(writer) ?? Number.NEGATIVE_INFINITY) >= ASK_AGAIN_MS,
    );
    if (asked.length > 0) {
      this.say({ type: 'who', writer: this.id, named: asked });
      const end = wait(ANSWER_TIMEOUT_MS).then(() => true);
      while (!asked.every(isThere)) if ((await Promise.race([end, this.next().then(() => false)])) === true) break;
      for (const writer of asked) if (!isThere(writer)) this.silent.set(writer, now());
    }
    return writers.filter(isThere);
  }

  private next(): Promise<void> {
    return new Promise((resolve) => void this.waiting.add(resolve));
  }

  private hear(message: Message): void {
    const { writer } = message;
    // A program that ended is not asked again.
    const [known, other] = message.type === 'bye' ? [this.silent, this.heard] : [this.heard, this.silent];
    known.set(writer, this.options.now());
    other.delete(writer);
    if (message.type === 'who' && message.named.includes(this.id)) this.say({ type: 'here', writer: this.id });
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const go of waiting) go();
    if (message.type === 'changed') this.listeners.call(message.chat);
  }

  private say(message: Message): void {
    this.options.broadcast.send(JSON.stringify(message));
  }
}

/** Sends to both channels, and receives from both. */
export function joinChannels(one: ChangeChannel, other: ChangeChannel): ChangeChannel {
  return {
    post(id) {
      one.post(id);
      other.post(id);
    },
    subscribe(listener) {
      const stops = [one.subscribe(listener), other.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
