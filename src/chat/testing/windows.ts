import type { ChangeChannel } from '../store/store-port.ts';
import type { WindowRegistry } from '../store/window-registry.ts';

/** The windows of one device: which are open, and their messages to each other. */
export class Windows {
  private readonly alive = new Set<string>();
  private readonly ends = new Map<string, (() => void)[]>();
  private readonly listeners = new Map<string, (id: string) => void>();

  open(id: string): { readonly writers: WindowRegistry; readonly channel: ChangeChannel } {
    this.alive.add(id);
    const writers: WindowRegistry = {
      id,
      others: () => Promise.resolve(new Set([...this.alive].filter((one) => one !== id))),
      gone: (writer) =>
        this.alive.has(writer)
          ? new Promise<void>((resolve) => void this.ends.set(writer, [...(this.ends.get(writer) ?? []), resolve]))
          : Promise.resolve(),
    };
    const channel: ChangeChannel = {
      post: (chat) => {
        for (const [to, listener] of this.listeners) if (to !== id) listener(chat);
      },
      subscribe: (listener) => {
        this.listeners.set(id, listener);
        return () => this.listeners.delete(id);
      },
    };
    return { writers, channel };
  }

  /** Closed or crashed: it sends nothing. */
  close(id: string): void {
    this.alive.delete(id);
    this.listeners.delete(id);
    for (const end of this.ends.get(id) ?? []) end();
  }
}
