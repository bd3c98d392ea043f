import { hostname } from 'node:os';
import { newChatOf } from '../../../chat/session/named-project.ts';
import type { Chats } from '../../../service/chats/chats.ts';
import type { ServiceEnvironment, StartServiceFeature } from '../../../service/service-feature.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { type OpenOrders, type OrdersOptions, openOrders, type RunChat, type RunChatEnd } from '../open-orders.ts';
import { ORDER_ROUTES } from './described-orders.ts';
import { orderRoutes } from './order-routes.ts';

interface ServiceOrdersOptions extends ServiceEnvironment {
  /** Default: the time of the machine. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds between two looks; 0: none are made by themselves. */
  readonly everyMs?: number | undefined;
}

interface ServiceOrders extends OpenOrders {
  /** One look now. Never rejects. */
  look(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 20_000;
const SETTLE_MS = 1500;

/** A run as a chat of the service. */
async function runIn(chats: Chats, { id, text, models, project, ...as }: RunChat, signal: AbortSignal): Promise<RunChatEnd> {
  const chat = await chats.ofProgram(id, { ...as, owner: id, made: project && newChatOf(project) });
  const stop = (): void => inBackground(chat.stop());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { status, message } = await chat.start(text, models).ended;
    return { status, error: message.error };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Orders in the service, which looks after them as long as it runs. */
function openServiceOrders({ chats, workspace, activity, log, now, everyMs = EVERY_MS }: ServiceOrdersOptions): ServiceOrders {
  const { models, history, device, timeZone, newId, unattended: parts } = workspace;
  const clock: OrdersOptions['clock'] = now ? { ...workspace.clock, now } : workspace.clock;
  const settle = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, everyMs === 0 ? 0 : SETTLE_MS));
  const open = openOrders({
    ...{ ...parts, clock, timeZone, models, history, newId, follow: chats.follow, pending: chats.pending },
    lease: { storage: parts.leaseStorage, holder: device, name: `the service on ${hostname()}`, settle },
    activity,
    chat: (chat, signal) => runIn(chats, chat, signal),
  });
  let said = '';
  const look = async (): Promise<void> => {
    try {
      await workspace.refresh();
      await open.orders.tick();
      said = '';
    } catch (error) {
      const line = `standing orders: ${error instanceof Error ? error.message : String(error)}`;
      // The kernel may be away for long.
      if (line !== said) log(line);
      said = line;
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    timer = setTimeout(() => inBackground(look().then(again)), everyMs);
  };
  if (everyMs > 0) again();
  return {
    ...open,
    look,
    async close() {
      clearTimeout(timer);
      open.inbox.dispose();
      await open.orders.close();
    },
  };
}

declare module '../../../service/kernel/workspace-types.ts' {
  interface WorkspaceOptions {
    /** How often what is due is looked for, and by which clock; 0: only when asked to. */
    readonly orders?: Pick<ServiceOrdersOptions, 'everyMs' | 'now'> | undefined;
  }
}

declare module '../../../service/service.ts' {
  interface RunningService {
    readonly orders: ServiceOrders;
  }
}

export const start: StartServiceFeature = ({ options: { orders: ticks } }) => ({
  serve(service) {
    const orders = openServiceOrders({ ...service, ...ticks });
    return { path: '/api/orders', routes: orderRoutes(orders), described: ORDER_ROUTES, ports: { orders }, close: orders.close };
  },
});
