/** One connected window, whatever carries its messages. */
export interface PushClient {
  readonly app: string;
  readonly id: string;
  /** `main`, `protyle` or `filetree`. */
  readonly type: string;
  send(text: string): void;
}

export interface PushEvent {
  readonly cmd: string;
  readonly code?: number;
  readonly msg?: string;
  readonly data?: unknown;
  readonly context?: Record<string, unknown>;
}

export interface PushTarget {
  /** Only sessions of this type. */
  readonly type?: string;
  /** Not the session that caused the event. */
  readonly exceptSession?: string;
  /** No session of this app. */
  readonly exceptApp?: string;
}

/** Sends the kernel's events to all windows. Callers push only what is already on disk: the order of events is the truth. */
export class PushHub {
  private readonly clients = new Set<PushClient>();
  private readonly listeners = new Set<(event: PushEvent) => void>();

  add(client: PushClient): () => void {
    this.clients.add(client);
    return () => this.clients.delete(client);
  }

  /** For tests and in-process consumers. */
  listen(listener: (event: PushEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get size(): number {
    return this.clients.size;
  }

  push(event: PushEvent, target: PushTarget = {}): void {
    for (const listener of this.listeners) listener(event);
    const { cmd, code = 0, msg = '', data = null, context } = event;
    const [app, sid, pushMode] = [target.exceptApp ?? '', target.exceptSession ?? '', target.exceptSession === undefined ? 0 : 2];
    const text = JSON.stringify({ cmd, reqId: 0, app, sid, pushMode, callback: '', code, msg, data, ...(context && { context }) });
    for (const client of this.clients) {
      if (target.type !== undefined && client.type !== target.type) continue;
      if (target.exceptSession !== undefined && client.id === target.exceptSession) continue;
      if (target.exceptApp && client.app === target.exceptApp) continue;
      client.send(text);
    }
  }
}
