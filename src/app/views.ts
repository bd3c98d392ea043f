// What is drawn of the features: loaded with the pages of the panel.
import { views as mcpClient } from '../features/mcp-client/view/views.ts';
import { views as orders } from '../features/orders/view/views.ts';
import type { FeatureViews } from '../ui/state/features.ts';

export const VIEWS: readonly FeatureViews[] = [
  orders, //
  mcpClient,
];
