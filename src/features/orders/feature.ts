import type { IEventBusMap } from 'siyuan';
import type { StartFeature } from '../../app/panel-feature.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { ORDERS } from './orders-port.ts';
import { panelOrders } from './panel/panel-orders.ts';

/** Orders: tasks that are written in a note and run by themselves; what they propose waits for the person. */
export const start: StartFeature = () => ({
  inPanel(app) {
    const { t, signal, show } = app;
    const orders = panelOrders(app);
    const page = 'orders';
    /** The rows of a database are asked from its own menu, too. */
    const onBlockMenu = ({ detail: { blockElements, menu } }: CustomEvent<IEventBusMap['click-blockicon']>): void => {
      const [block, more] = blockElements;
      if (more || block?.getAttribute('data-type') !== 'NodeAttributeView') return;
      const click = (): void => inBackground(show({ page, ids: [block.getAttribute('data-node-id') ?? ''] }));
      menu.addItem({ icon: 'iconMarginalia', label: t('orders.askTheseRows'), click });
    };
    const { eventBus } = app.host.plugin;
    eventBus.on('click-blockicon', onBlockMenu);
    signal.addEventListener('abort', () => eventBus.off('click-blockicon', onBlockMenu));
    return {
      name: ORDERS.name,
      port: orders,
      pages: [{ name: page, title: 'orders.title', menu: { icon: 'iconMarginaliaWait', part: 'program' } }],
      watch: (listener) => orders.watch((n) => listener(n > 0 ? { label: t('orders.wait', { n }), page } : undefined)),
    };
  },
});
