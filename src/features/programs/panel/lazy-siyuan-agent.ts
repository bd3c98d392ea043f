import { capabilityOffer } from '../../../app/capability-offer.ts';
import type { OpenExecutors } from '../../../app/open-executors.ts';
import { untilClosed } from '../../../app/until-closed.ts';
import type { SettingsStore } from '../../../host/settings/settings.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import { fieldOf } from '../../../tools/util/plain-value.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { AgentCapability, SiYuanAgent, SiYuanAgentDeps } from './siyuan-agent.ts';

/** A call that waits for a person is answered after this many milliseconds, or earlier where SiYuan waits less. */
const WAIT_MS = 20_000;

/** In seconds; 0: SiYuan waits for ever. */
function waitMs(config: unknown): number {
  const seconds = fieldOf(fieldOf(fieldOf(config, 'ai'), 'agent'), 'confirmTimeout');
  return typeof seconds === 'number' && seconds > 0 ? Math.min(WAIT_MS, seconds * 500) : WAIT_MS;
}

interface Deps extends Omit<SiYuanAgentDeps, 'isOn' | 'waitMs'> {
  readonly settings: SettingsStore;
  readonly plugin: object;
  /** Calls back when the open chat has other tools. */
  readonly onTools: (listener: () => void) => unknown;
  readonly load: () => Promise<typeof import('./siyuan-agent.ts')>;
  readonly signal: AbortSignal;
}

/**
 * Our tools for SiYuan's own agent, once the person switched that on. Hosts have no way to take a single capability back (only all, when the
 * plugin ends): switched off, what waits is withdrawn and each call is refused.
 */
function lazySiYuanAgent(deps: Deps): void {
  const { settings, plugin, signal } = deps;
  const offer = capabilityOffer(plugin);
  const offered = new Map<string, AgentCapability>();
  const isOn = (): boolean => settings.get().siyuanAgent && !signal.aborted;
  let agent: SiYuanAgent | undefined;
  const load = lazyPart(async () => {
    const { SiYuanAgent } = await deps.load();
    return () => new SiYuanAgent({ ...deps, isOn, waitMs: () => waitMs(window.siyuan.config) });
  });
  const close = (): void => {
    agent?.dispose();
    agent = undefined;
    offered.clear();
  };
  const follow = async (): Promise<void> => {
    if (!offer || !isOn()) return close();
    const make = await load();
    if (!isOn()) return;
    agent ??= make();
    for (const capability of await agent.capabilities()) {
      const { name } = capability;
      const isNew = !known.has(name);
      known.add(name);
      offered.set(name, capability);
      // The same name once more would be passed over: the handler looks for the current one.
      if (isNew) offer({ ...capability, handler: (args) => answerOf(name, args) } satisfies AgentCapability);
    }
  };
  const known = new Set<string>();
  const answerOf: (name: string, args: unknown) => ReturnType<AgentCapability['handler']> = async (name, args) => {
    const capability = offered.get(name);
    return capability ? capability.handler(args) : { error: 'no_right: Marginalia’s tools are switched off for SiYuan’s agent' };
  };
  if (offer) {
    const followNow = (): void => void follow().catch(() => undefined);
    settings.subscribe(followNow);
    followNow();
    // The first time once the late groups of the panel are there.
    deps.onTools(followNow);
    signal.addEventListener('abort', close);
  }
}

export interface AgentParts extends Pick<Deps, 'settings' | 'plugin' | 'activity' | 'clock' | 'newId' | 'pending' | 'signal'> {
  readonly executors: Pick<OpenExecutors, 'build' | 'current' | 'subscribe'>;
  readonly t: Translate;
}

/** SiYuan's own agent, where the person lets it in. */
export function openAgent({ settings, plugin, activity, clock, newId, pending, signal, executors, t }: AgentParts): void {
  lazySiYuanAgent({
    ...{ settings, plugin, name: t('programs.siyuanAgent'), signal, clock, newId, pending, activity },
    ...{ executor: executors.build, chat: executors.current, onTools: executors.subscribe },
    load: untilClosed(() => import('./siyuan-agent.ts'), signal),
  });
}
