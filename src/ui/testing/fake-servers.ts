import type { ServerEntry, ServersPort } from '../../features/mcp-client/servers-port.ts';
import type { WatchedPrograms } from '../../features/programs/programs-port.ts';

const FAKE_SERVERS: readonly ServerEntry[] = [
  {
    ...{ name: 'weather', enabled: true, url: 'https://mcp.example/mcp', args: [], leavesOut: false, state: 'ready' },
    values: [{ name: 'Authorization', isSet: true }],
    tools: [{ name: 'get_forecast', description: 'The weather of a place.' }],
  },
];

export const fakeServers: ServersPort = {
  offering: async () => [],
  offers: async () => [],
  take: async () => ({ draft: '', texts: [], files: [], isCut: false }),
  list: async () => ({ servers: FAKE_SERVERS, problems: [], ofSiYuan: [] }),
  save: async () => null,
  paste: async () => ({ added: [], problems: [], unread: true }),
  takeFromSiYuan: async () => null,
  turn: async () => undefined,
  allow: async () => undefined,
  remove: async () => undefined,
  test: async () => undefined,
  signIn: async () => undefined,
  finishSignIn: async () => undefined,
  cancelSignIn: async () => undefined,
  signOut: async () => undefined,
};

export const noPrograms: WatchedPrograms = {
  hasAgent: false,
  app: undefined,
  connection: async () => ({ address: '', hasToken: false }),
  connect: async () => undefined,
  disconnect: async () => undefined,
  list: async () => [],
  add: async () => '',
  remove: async () => undefined,
  pending: async () => [],
  decide: async () => undefined,
  watch: () => () => undefined,
};
