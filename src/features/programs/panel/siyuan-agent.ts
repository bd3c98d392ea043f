// A file of its own in the built plugin, loaded where SiYuan's own agent is offered our tools.

import { HOST_AGENT_SESSION } from '../../../chat/activity/activity.ts';
import { type CallRoom, OutsideCalls, PENDING_SCHEMA, pendingText } from '../../../tools/calls/outside-calls.ts';
import type { PendingList } from '../../../tools/calls/pending.ts';
import { errorText, ToolError, toToolError } from '../../../tools/contract/errors.ts';
import type { JsonSchema } from '../../../tools/contract/messages.ts';
import type { ToolArguments, ToolEffect } from '../../../tools/contract/types.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import { PanelRoom, type PanelRoomDeps } from './panel-room.ts';

/** What SiYuan 3.8 takes (read from the types of its plugins, not measured). */
export interface AgentCapability {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** They steer whether SiYuan asks by default. */
  readonly effects: {
    readonly localRead: boolean;
    readonly localWrite: boolean;
    readonly dataEgress: boolean;
    readonly externalCost: boolean;
  };
  readonly handler: (args: unknown) => Promise<CapabilityAnswer>;
}

interface CapabilityAnswer {
  readonly result?: string;
  readonly error?: string;
}

export interface SiYuanAgentDeps extends PanelRoomDeps {
  /** Its name for people. */
  readonly name: string;
  /** Whether the person lets SiYuan's agent in now. */
  readonly isOn: () => boolean;
  /** Milliseconds after which a call that waits for a person is answered with "pending". */
  readonly waitMs: () => number;
}

export const NAME_PREFIX = 'marginalia_';
const PENDING = `${NAME_PREFIX}pending_change`;
/** UTF-16 units of a schema: SiYuan sends all of them with each request, and one that it cannot compile fails the whole request. */
const MAX_SCHEMA = 20_000;

const effectsOf = (effect: ToolEffect): AgentCapability['effects'] => ({
  ...{ localRead: true, localWrite: effect === 'write' },
  ...{ dataEgress: effect === 'outgoing', externalCost: effect === 'outgoing' },
});

const titleOf = (name: string): string => `Marginalia: ${name.replaceAll('_', ' ')}`;

/** A schema that every validator takes: an object, of a sensible size, without references. */
export const isSafeSchema = (schema: JsonSchema): boolean => {
  const text = JSON.stringify(schema);
  return schema.type === 'object' && text.length <= MAX_SCHEMA && !text.includes('"$ref"');
};

const asArguments = (args: unknown): ToolArguments =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? { ...args } : {};

/** SiYuan's own agent as another program: the same executor, rights, plans, approvals by the person, records and Undo. */
export class SiYuanAgent extends OutsideCalls {
  protected readonly asker = 'host-agent';
  private readonly deps: SiYuanAgentDeps;
  private readonly place: PanelRoom;

  constructor(deps: SiYuanAgentDeps) {
    super();
    this.deps = deps;
    const sessionId = `${HOST_AGENT_SESSION}${deps.newId()}`;
    this.place = new PanelRoom(deps, { from: 'host-agent', name: deps.name, sessionId });
  }

  protected get waitMs(): number {
    return this.deps.waitMs();
  }

  protected get pending(): PendingList {
    return this.deps.pending;
  }

  protected newId(): string {
    return this.deps.newId();
  }

  protected async room(): Promise<CallRoom> {
    if (!this.deps.isOn())
      throw new ToolError('no_right', 'Marginalia’s tools are switched off for SiYuan’s agent', 'tell the user, and go on without them');
    return this.place.calls();
  }

  /** The tools that are on, under names of our own. */
  async capabilities(): Promise<readonly AgentCapability[]> {
    const tools = (await this.tools()).flatMap(({ definition: { function: tool }, effect }) => {
      if (!isSafeSchema(tool.parameters)) return [];
      const { name, description, parameters: inputSchema } = tool;
      return [
        {
          ...{ name: `${NAME_PREFIX}${name}`, title: titleOf(name), description, inputSchema, effects: effectsOf(effect) },
          handler: (args: unknown) => this.answer(async () => this.begin(name, asArguments(args))),
        },
      ];
    });
    return [...tools, this.pendingCapability()];
  }

  /** Withdraws what waits. */
  dispose(): void {
    this.withdrawAll();
    this.place.close();
  }

  private pendingCapability(): AgentCapability {
    const { description, parameters } = PENDING_SCHEMA;
    return {
      ...{ name: PENDING, title: titleOf('pending_change'), description },
      inputSchema: { ...parameters, required: [...parameters.required] },
      effects: { localRead: true, localWrite: false, dataEgress: false, externalCost: false },
      handler: (args) => this.answer(async () => String(asArguments(args).id ?? '')),
    };
  }

  /** Never rejects: SiYuan tells its model that nothing is known of a call that was not answered. */
  private async answer(begun: () => Promise<string>): Promise<CapabilityAnswer> {
    try {
      const id = await begun();
      const state = await this.wait(id, { signal: NEVER, stopAtApproval: false, onProgress: () => undefined });
      if (state.kind !== 'ended') return { result: pendingText(id, 'a person decides in the panel of Marginalia', PENDING) };
      const { status, text } = state.end;
      return status === 'success' ? { result: text } : { error: text };
    } catch (error) {
      return { error: errorText(toToolError(error)) };
    }
  }
}
