import { watched } from '../../../app/watched.ts';
import { lazyMethods, lazyPart } from '../../../tools/util/lazy.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import type { OrdersPort, PanelOrders } from '../orders-port.ts';
import type { RunningOrders } from './open-panel-orders.ts';

export interface LazyOrdersDeps {
  /** Loads and opens them. Rejects with `not_loaded`. */
  readonly open: () => Promise<RunningOrders>;
  /** Whether a person has made this app run them; undefined where it cannot, as in a browser. */
  readonly here: { get(): boolean | undefined; set(on: boolean): void };
  /** Whether there is a note of orders. Nothing is loaded where there is none. */
  readonly exist: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at what is due. */
const TICK_MS = 20_000;

/** Milliseconds between two counts of proposals. */
const COUNT_MS = 30_000;

/** Counts the proposals as long as somebody listens. */
function watchProposals(count: () => Promise<number>, signal: AbortSignal): PanelOrders['watch'] {
  let known = 0;
  let countedAt = 0;
  const look = async (): Promise<void> => {
    const now = Date.now();
    if (now < countedAt + COUNT_MS) return;
    countedAt = now;
    known = await count().catch(() => known);
  };
  return watched({ value: () => known, look, signal }).watch;
}

/** Orders in the panel: nothing is loaded where there are none. In the desktop app they run as long as it is open, if a person wants that. */
export function lazyOrders({ open, here, exist, signal }: LazyOrdersDeps): PanelOrders {
  const opened = lazyPart(open);
  const port = lazyMethods<OrdersPort>(async () => (await opened()).port, {
    ...{ view: true, inbox: true, count: true, decide: true, drop: true, choose: true, makeNote: true, add: true },
    ...{ change: true, remove: true, problemsOf: true },
    ...{ runNow: true, pause: true, resume: true, runForAll: true, isOrdersNote: true, databases: true, addColumn: true },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = async (): Promise<void> => {
    clearTimeout(timer);
    // What fails is tried again at the next look: SiYuan may be busy.
    if (here.get() && (await exist().catch(() => false)))
      await opened()
        .then((orders) => orders.tick())
        .catch(() => undefined);
    if (here.get() && !signal.aborted) timer = setTimeout(() => inBackground(tick()), TICK_MS);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  inBackground(tick());
  const count = async (): Promise<number> => ((await exist()) ? port.count() : 0);
  return {
    ...port,
    async runNow(order, note) {
      await port.runNow(order, note);
      inBackground(tick());
    },
    count,
    watch: watchProposals(count, signal),
    runsHere: here.get,
    runHere(on) {
      here.set(on);
      if (on) inBackground(tick());
      // Without it, another program takes over a little later.
      else
        void opened()
          .then((orders) => orders.release())
          .catch(() => undefined);
    },
  };
}
