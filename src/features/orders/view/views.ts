import type { FeatureViews } from '../../../ui/state/features.ts';
import OrdersView from './OrdersView.svelte';

export const views: FeatureViews = { pages: { orders: OrdersView } };
