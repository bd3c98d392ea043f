// The features of the test page, as src/app/features.ts lists those of the panel.
import { start as activity } from '../../features/activity/feature.ts';
import { fakeNotes } from '../../features/chat-as-note/testing/fake-notes.ts';
import { COMPUTER } from '../../features/computer/computer-port.ts';
import { start as flashcards } from '../../features/flashcards/feature.ts';
import { SERVERS } from '../../features/mcp-client/servers-port.ts';
import { start as memory } from '../../features/memory/feature.ts';
import { fakeFeature as orders } from '../../features/orders/testing/no-orders.ts';
import { PROGRAMS } from '../../features/programs/programs-port.ts';
import { PROVENANCE } from '../../features/provenance/provenance-port.ts';
import { fakeWritten } from '../../features/provenance/testing/fake-written.ts';
import { HELPS as SKILLS_HELPS } from '../../features/skills/feature.ts';
import { SKILLS } from '../../features/skills/skills-port.ts';
import { skillActions } from '../../features/skills/view/make-skill.ts';
import { HELPS } from '../../features/usage/feature.ts';
import { USAGE } from '../../features/usage/usage-port.ts';
import { HELPS as WEB_HELPS } from '../../features/web/feature.ts';
import { WEB } from '../../features/web/search-port.ts';
import type { PanelFeature } from '../state/features.ts';
import type { FakeController } from './fake-controller.ts';
import type { FakeHost, FakeSettings } from './fake-host.ts';

/** These need nothing of the panel. */
const NOTHING = {} as never;

export const fakeFeatures = (settings: FakeSettings, host: FakeHost, controller: FakeController): readonly PanelFeature[] => [
  fakeNotes(controller),
  {
    name: PROVENANCE.name,
    port: fakeWritten((...entry) => host.log.push(entry)),
    pages: [{ name: 'written', title: 'written.title', menu: { icon: 'iconMarginaliaWritten', part: 'chats' } }],
  },
  { name: COMPUTER.name, port: { filesFolder: settings.filesFolder } },
  { name: WEB.name, port: settings.search, helps: WEB_HELPS },
  { name: SERVERS.name, port: settings.servers },
  { name: PROGRAMS.name, port: settings.programs, pages: [{ name: 'programs', title: 'programs.title' }] },
  {
    ...{ name: USAGE.name, helps: HELPS },
    port: { report: async () => Promise.reject(new Error('nothing is recorded here')), today: () => '2026-01-15' },
  },
  { name: SKILLS.name, port: { own: () => settings.ownSkills() }, actions: skillActions, helps: SKILLS_HELPS },
  ...[memory, flashcards, activity].flatMap((start) => start(NOTHING).inPanel?.(NOTHING) ?? []),
  orders,
];
