import type { PanelEnvironment } from '../../app/panel-environment.ts';
import type { PanelFeature } from '../../ui/state/features.ts';
import { ORDERS } from './orders-port.ts';
import { panelOrders } from './panel/panel-orders.ts';

/** Orders: tasks that are written in a note and run by themselves; what they propose waits for the person. */
export function openPanelFeature(app: PanelEnvironment): PanelFeature {
  const orders = panelOrders(app);
  const page = 'orders';
  return {
    name: ORDERS.name,
    port: orders,
    pages: [{ name: page, title: 'orders.title', menu: { icon: 'iconMarginaliaWait', part: 'program' } }],
    watch: (listener) => orders.watch((n) => listener(n > 0 ? { label: app.t('orders.wait', { n }), page } : undefined)),
  };
}
