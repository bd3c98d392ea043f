import type { FeatureViews } from '../../../ui/state/features.ts';
import { ORDERS } from '../orders-port.ts';
import OrdersView from './OrdersView.svelte';

export const views: FeatureViews = { name: ORDERS.name, pages: { orders: OrdersView } };
