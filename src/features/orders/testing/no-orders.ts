import type { PanelFeature } from '../../../ui/state/features.ts';
import type { OrdersView } from '../order-runner.ts';
import { ORDERS, type PanelOrders } from '../orders-port.ts';

const NO_ORDERS: OrdersView = { note: { kind: 'none' }, orders: [], runsOn: '' };

const noOrders: PanelOrders = {
  view: async () => NO_ORDERS,
  inbox: async () => [],
  count: async () => 0,
  decide: async () => false,
  drop: async () => undefined,
  isOrdersNote: async () => false,
  choose: async () => undefined,
  makeNote: async () => undefined,
  add: async () => undefined,
  change: async () => undefined,
  remove: async () => ({ sessionId: '', messageId: '', callId: '' }),
  problemsOf: async () => [],
  runNow: async () => undefined,
  pause: async () => undefined,
  resume: async () => undefined,
  runForAll: async () => undefined,
  databases: async () => [],
  addColumn: async () => undefined,
  runsHere: () => undefined,
  runHere: () => undefined,
  watch: () => () => undefined,
};

export const fakeFeature: PanelFeature = {
  name: ORDERS.name,
  port: noOrders,
  pages: [{ name: 'orders', title: 'orders.title', menu: { icon: 'iconMarginaliaWait', part: 'program' } }],
};
