import { Listeners } from '../../tools/util/notify.ts';

/** SiYuan's long work; `answer`: nothing comes back at all. */
export type KernelWait = 'index' | 'write' | 'list' | 'read' | 'search' | 'other' | 'answer';

/** Milliseconds: what is over sooner would only flicker. */
const LONG = 2000;
/** Without an answer to anything. */
const SILENT = 8000;

const KINDS: readonly (readonly [KernelWait, RegExp])[] = [
  ['index', /\/flushTransaction$/],
  ['write', /\/(transactions|(set|create|move|remove|rename|rollback|open|close)\w*|upload)$/],
  ['list', /\/(listDocsByPath|getIDsByHPath|lsNotebooks)$/],
  ['read', /^\/api\/(block|filetree|outline|attr)\//],
  ['search', /^\/api\/(query|search)\//],
];

const kindOf = (path: string): KernelWait => KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';

/** Finds the request to the kernel that takes long, to be shown to a person. */
export class KernelWaits {
  current: KernelWait | undefined;
  private readonly open = new Map<object, { readonly kind: KernelWait; readonly begun: number }>();
  private readonly listeners = new Listeners<[wait: KernelWait | undefined]>();
  private answered = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** A request begins; call what is returned when it is over. */
  readonly begin = (path: string): (() => void) => {
    const request = {};
    this.open.set(request, { kind: kindOf(path), begun: Date.now() });
    this.timer ??= setTimeout(this.look, LONG);
    return () => {
      this.open.delete(request);
      this.answered = Date.now();
      if (this.current !== undefined) this.look();
    };
  };

  /** Calls with the current wait, and whenever that changes; returns a function that stops it. */
  subscribe(listener: (wait: KernelWait | undefined) => void): () => void {
    listener(this.current);
    return this.listeners.add(listener);
  }

  private readonly look = (): void => {
    clearTimeout(this.timer);
    const [oldest] = this.open.values();
    this.timer = oldest && setTimeout(this.look, LONG / 2);
    const now = Date.now();
    let wait: KernelWait | undefined;
    if (oldest && now - oldest.begun >= LONG) wait = now - Math.max(oldest.begun, this.answered) >= SILENT ? 'answer' : oldest.kind;
    if (wait === this.current) return;
    this.current = wait;
    this.listeners.call(wait);
  };
}
