import { ordersHere } from '../../../app/device-storage.ts';
import { hasNode } from '../../../app/groups/lazy-desktop.ts';
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { ORDERS_WISHES } from '../../../tools/contract/saved-names.ts';
import type { PanelOrders } from '../orders-port.ts';
import { lazyOrders } from './lazy-orders.ts';

/** Orders in the panel; in the desktop app they can run there. */
export function panelOrders(app: PanelEnvironment): PanelOrders {
  return lazyOrders({
    open: async () => (await import('./open-panel-orders.ts')).ordersOf(app),
    here: { get: () => (hasNode() ? ordersHere.get() : undefined), set: ordersHere.set },
    exist: async () => (await app.base.storage.read(ORDERS_WISHES)) !== null,
    signal: app.signal,
  });
}
