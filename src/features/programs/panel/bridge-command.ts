import { workspaceFolder } from '../../../app/device-storage.ts';
import type { WayIn } from '../known-programs.ts';

const BRIDGE = 'data/plugins/siyuan-marginalia/mcp-bridge.cjs';

/** SiYuan's own program as Node: nothing has to be installed. */
export function bridgeCommand(url: string, token: string): WayIn['command'] {
  const folder = workspaceFolder().replace(/[\\/]+$/, '');
  const between = folder.includes('\\') ? '\\' : '/';
  return {
    file: process.execPath,
    args: [[folder, ...BRIDGE.split('/')].join(between)],
    env: { ELECTRON_RUN_AS_NODE: '1', MARGINALIA_URL: url, MARGINALIA_TOKEN: token },
  };
}
