import type { StartFeature } from '../../app/panel-feature.ts';
import { ORDERS } from './orders-port.ts';
import { panelOrders } from './panel/panel-orders.ts';

/** Orders: tasks that are written in a note and run by themselves; what they propose waits for the person. */
export const start: StartFeature = () => ({
  inPanel(app) {
    const orders = panelOrders(app);
    const page = 'orders';
    return {
      name: ORDERS.name,
      port: orders,
      pages: [{ name: page, title: 'orders.title', menu: { icon: 'iconMarginaliaWait', part: 'program' } }],
      watch: (listener) => orders.watch((n) => listener(n > 0 ? { label: app.t('orders.wait', { n }), page } : undefined)),
    };
  },
});
