import { createMarkdownEngine, type LuteFactory } from '../host/blocks/markdown-engine.ts';
import type { HostBase } from '../host/host-base.ts';
import { isAiOff } from '../model/host-providers.ts';
import { fieldOf } from '../tools/util/plain-value.ts';
import type { HostReport } from '../ui/ports/host-ui.ts';
import { capabilityOffer } from './capability-offer.ts';
import type { PanelHost } from './panel-host.ts';

const TABS = '::: tabs\n@tab One\n\nfirst\n:::';

interface ProbeDeps {
  readonly host: Pick<PanelHost, 'plugin' | 'siyuan' | 'tellsReasons'>;
  readonly routes: Pick<HostBase['routes'], 'tellsOmissions'>;
  readonly lute: LuteFactory;
  /** `window.siyuan.config`. */
  readonly config: unknown;
}

/** Looks for each thing of SiYuan 3.8 by which the plugin behaves differently, whatever the version says. Rejects with ToolError. */
export async function readHostReport({ host, routes, lute, config }: ProbeDeps, signal: AbortSignal): Promise<HostReport> {
  return {
    version: String(fieldOf(fieldOf(config, 'system'), 'kernelVersion')),
    frontend: host.siyuan.getFrontend(),
    found: {
      agentTools: capabilityOffer(host.plugin) !== undefined,
      omissions: await routes.tellsOmissions(signal),
      newBlocks: createMarkdownEngine(lute).toDom(TABS).includes('NodeTabs'),
      reasons: host.tellsReasons(),
      aiOff: isAiOff(config),
    },
  };
}
