// The features of the panel: each is one line here and one in views.ts. In the menu and in the settings they stand in this order.
import { openPanelFeature as orders } from '../features/orders/feature.ts';
import type { PanelFeature } from '../ui/state/features.ts';
import type { PanelEnvironment } from './panel-environment.ts';

const FEATURES: readonly ((app: PanelEnvironment) => PanelFeature)[] = [
  orders, //
];

export const openFeatures = (app: PanelEnvironment): readonly PanelFeature[] => FEATURES.map((open) => open(app));
