import { newId, ordersHere } from '../../../app/device-storage.ts';
import { hasNode } from '../../../app/groups/lazy-desktop.ts';
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { NOBODY_ANSWERS } from '../../../app/workspace/chat-executor.ts';
import { asChatStorage } from '../../../app/workspace/chat-storage.ts';
import { narrowedPolicy, onceForLevels } from '../../../app/workspace/narrowed-policy.ts';
import { timeZone } from '../../../app/workspace/system-clock.ts';
import { ORDERS_WISHES } from '../../../tools/contract/saved-names.ts';
import { followSwitches } from '../../../tools/executor/listed-tools.ts';
import type { OrdersOptions } from '../open-orders.ts';
import type { PanelOrders } from '../orders-port.ts';
import { lazyOrders } from './lazy-orders.ts';

const SETTLE_MS = 1500;

/** Orders in the panel; in the desktop app they can run there. */
export function panelOrders(app: PanelEnvironment): PanelOrders {
  const { chats, base, settings, policy, notes, notesUnder, executors, modelNamed, projects, pending, look, t, signal } = app;
  const storage = asChatStorage(base.storage);
  const notesFor = onceForLevels((levels) => (levels ? notesUnder(narrowedPolicy(policy, levels)) : notes));
  const runTools: OrdersOptions['runTools'] = (ports, arrange, levels) => executors.arranged(ports, { arrange, notes: notesFor(levels) });
  const settle = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, SETTLE_MS));
  const open = async () => {
    const { openPanelOrders } = await import('./open-panel-orders.ts');
    return openPanelOrders({
      ...{ chats, storage, runTools, modelNamed, projects, timeZone: timeZone(), notes: notes.notes, history: notes.history },
      notesFor: (levels) => notesFor(levels).notes,
      // Each window is a program of its own.
      lease: { storage: base.cache, holder: newId(), name: t('orders.app'), settle },
      settings: () => settings.get(),
      executor: (approvalAdapter) => executors.build({ approvalAdapter, askUser: NOBODY_ANSWERS }),
      follow: (executor) => followSwitches(executor, executors.current().groups()),
      pending,
      look,
    });
  };
  return lazyOrders({
    ...{ open, signal },
    here: { get: () => (hasNode() ? ordersHere.get() : undefined), set: ordersHere.set },
    exist: async () => (await storage.read(ORDERS_WISHES)) !== null,
  });
}
