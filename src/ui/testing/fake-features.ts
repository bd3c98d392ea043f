// The features of the test page, as src/app/features.ts lists those of the panel.
import { COMPUTER } from '../../features/computer/computer-port.ts';
import { SERVERS } from '../../features/mcp-client/servers-port.ts';
import { fakeFeature as orders } from '../../features/orders/testing/no-orders.ts';
import { SKILLS } from '../../features/skills/skills-port.ts';
import { WEB } from '../../features/web/search-port.ts';
import type { PanelFeature } from '../state/features.ts';
import type { FakeSettings } from './fake-host.ts';

export const fakeFeatures = (settings: FakeSettings): readonly PanelFeature[] => [
  { name: COMPUTER.name, port: { filesFolder: settings.filesFolder } },
  { name: WEB.name, port: settings.search },
  { name: SERVERS.name, port: settings.servers },
  { name: 'memory' },
  { name: SKILLS.name, port: { own: () => settings.ownSkills() } },
  orders,
];
