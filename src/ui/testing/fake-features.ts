// The features of the test page, as src/app/features.ts lists those of the panel.
import { fakeFeature as orders } from '../../features/orders/testing/no-orders.ts';
import type { PanelFeature } from '../state/features.ts';

export const fakeFeatures: readonly PanelFeature[] = [orders];
