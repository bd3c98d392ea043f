import { systemClock } from '../../app/workspace/system-clock.ts';
import { createAccessPolicy } from '../../host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../../host/host-base.ts';
import { createKernelClient } from '../../host/kernel/kernel-client.ts';
import { followRights } from '../../host/settings/follow-rights.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { openKernelFetch } from './kernel-fetch.ts';
import { socketsTo } from './pushes.ts';
import { settleTimeZone } from './time-zone.ts';
import { openWorkspaceSettings } from './workspace-settings.ts';
import type { WorkspaceOptions } from './workspace-types.ts';

/** SiYuan's configuration: its AI settings, and its folder if it reports one. */
export async function readConfiguration(base: HostBase, signal: AbortSignal) {
  const conf = await base.client.call('/api/system/getConf', {}, (data) => fieldOf(data, 'conf'), signal);
  const folder = fieldOf(fieldOf(conf, 'system'), 'workspaceDir');
  return { conf, ai: fieldOf(conf, 'ai'), folder: typeof folder === 'string' && folder !== '' ? folder : undefined };
}

/** SiYuan behind its kernel, under the rights of the settings. Rejects with ToolError if it does not answer. */
export async function openHost({ kernel, kernelToken, device, zone }: WorkspaceOptions, signal: AbortSignal) {
  const rights = createAccessPolicy();
  const client = createKernelClient({ baseUrl: kernel, fetch: openKernelFetch(), token: kernelToken });
  const base = createHostBase({ client, policy: rights, clock: systemClock, device });
  const settings = await openWorkspaceSettings(base.storage, systemClock.now);
  followRights(settings, rights);
  const configuration = await readConfiguration(base, signal);
  settleTimeZone(zone);
  return { base, rights, settings, configuration, connect: socketsTo(kernel, kernelToken) };
}

export type WorkspaceHost = Awaited<ReturnType<typeof openHost>>;
