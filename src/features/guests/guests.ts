import type { LanguageModel } from '../../model/language-model.ts';
import type { OpenPipe } from '../../tools/connections/program-pipe.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { canonicalJson } from '../../tools/util/plain-value.ts';
import { AgentLink } from './agent-link.ts';
import { openAgentStream } from './agent-stream.ts';
import { createGuestModel, type GuestModelDeps } from './guest-model.ts';
import type { GuestSetting } from './guest-settings.ts';

export interface GuestsDeps extends Pick<GuestModelDeps, 'openDoor' | 'version'> {
  /** As they are set up now. */
  readonly list: () => readonly GuestSetting[];
  /** An empty folder, made when it is first needed. */
  readonly folder: () => Promise<string>;
  readonly startProgram: (guest: GuestSetting, folder: string) => OpenPipe;
}

/** The agents of this machine as models. A program is started when it is first asked, and runs until it is closed. */
export class Guests {
  private readonly deps: GuestsDeps;
  private readonly running = new Map<string, { readonly link: AgentLink; readonly model: LanguageModel }>();

  constructor(deps: GuestsDeps) {
    this.deps = deps;
  }

  /** The model of an agent, as it is set up when it is asked. */
  model(id: string): LanguageModel {
    const name = this.deps.list().find((guest) => guest.id === id)?.name ?? id;
    return { label: name, model: name, complete: async (...asked) => this.current(id).complete(...asked) };
  }

  async close(): Promise<void> {
    const all = [...this.running.values()];
    this.running.clear();
    await Promise.all(all.map(({ link }) => link.close()));
  }

  private current(id: string): LanguageModel {
    const guest = this.deps.list().find((each) => each.id === id);
    if (!guest) throw new ToolError('model_missing', 'this agent is no longer set up', 'choose a model again');
    const key = canonicalJson(guest);
    const known = this.running.get(key);
    if (known) return known.model;
    const { startProgram, openDoor, version, folder } = this.deps;
    const { name } = guest;
    const start = async () => openAgentStream(startProgram(guest, await folder()));
    const link = new AgentLink({ name, version, folder, start });
    const model = createGuestModel({ name, version, link, openDoor });
    this.running.set(key, { link, model });
    return model;
  }
}
