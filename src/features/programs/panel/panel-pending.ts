import { deviceSecrets } from '../../../app/device-storage.ts';
import { watched } from '../../../app/watched.ts';
import { SERVICE_ADDRESS } from '../../../host/settings/device-keys.ts';
import type { PendingList } from '../../../tools/calls/pending.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ApprovalDecision } from '../../../tools/contract/types.ts';
import { lazyMethods, lazyPart } from '../../../tools/util/lazy.ts';
import { type PendingChange, PROGRAM_METHODS, type ProgramsPort, type WatchedPrograms } from '../programs-port.ts';
import { type AgentParts, openAgent } from './lazy-siyuan-agent.ts';

interface PanelPendingParts {
  /** What waits in this window. */
  readonly local: PendingList;
  readonly programs: ProgramsPort;
  /** Whether a service is set up on this device. */
  readonly hasService: () => boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at the service after one that failed. */
const FAILED_MS = 60_000;

/** Changes of programs that wait for the person, here and in the service. */
class PanelPending {
  private readonly parts: PanelPendingParts;
  private readonly watched: ReturnType<typeof watched<readonly PendingChange[]>>;
  private remote: readonly PendingChange[] = [];
  private serviceAt = 0;

  constructor(parts: PanelPendingParts) {
    this.parts = parts;
    this.watched = watched({ value: () => this.waiting(), look: () => this.look(), signal: parts.signal });
    parts.local.changes.add(this.watched.announce);
  }

  get watch(): WatchedPrograms['watch'] {
    return this.watched.watch;
  }

  /** The changes of programs, read now. Rejects with ToolError if the service does not answer. */
  async changes(): Promise<readonly PendingChange[]> {
    try {
      this.remote = await this.parts.programs.pending();
    } catch (error) {
      // Without a service there is only SiYuan's agent.
      if (!(error instanceof ToolError) || error.code !== 'service_missing') throw error;
      this.remote = [];
    }
    return this.waiting();
  }

  async decide(id: string, decision: ApprovalDecision): Promise<void> {
    const { local, programs } = this.parts;
    if (!local.list().some((entry) => entry.id === id)) return programs.decide(id, decision);
    // Nothing is allowed beyond this one call.
    await local.decide(id, decision.approved ? { ...decision, remember: false } : decision);
  }

  private waiting(): readonly PendingChange[] {
    const here = this.parts.local.list().filter(({ from }) => from === 'host-agent' || from === 'program');
    const changes = here.map(({ id, name, request }) => ({ from: name, request: { ...request, approvalId: id } }));
    return [...changes, ...this.remote];
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const now = Date.now();
    const { programs, hasService } = this.parts;
    if (!hasService() || now < this.serviceAt) return;
    this.serviceAt = now + FAILED_MS;
    await programs.pending().then(
      (pending) => {
        this.remote = pending;
        this.serviceAt = now;
      },
      () => undefined,
    );
  }
}

/** SiYuan's agent and programs of the service, with what waits of them. */
export function programsOf(agent: AgentParts): Omit<WatchedPrograms, 'hasAgent' | 'app'> {
  openAgent(agent);
  const open = lazyPart(async () => (await import('./open-programs.ts')).openPrograms(deviceSecrets));
  const programs = lazyMethods<ProgramsPort>(open, PROGRAM_METHODS);
  const pending = new PanelPending({
    ...{ local: agent.pending, programs, signal: agent.signal },
    hasService: () => Boolean(deviceSecrets.get(SERVICE_ADDRESS)),
  });
  return {
    ...programs,
    pending: () => pending.changes(),
    decide: (id, decision) => pending.decide(id, decision),
    watch: pending.watch,
  };
}
