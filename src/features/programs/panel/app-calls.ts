// A file of its own in the built plugin, loaded where programs of this computer come in through the app.

import { programSession } from '../../../chat/activity/activity.ts';
import { type CustomPrompt, readPrompts } from '../../../chat/prompts/custom-prompts.ts';
import type { ChatProject, Projects } from '../../../chat/session/chat-project.ts';
import { isSameHash, tokenHash } from '../../../desktop/same-token.ts';
import type { SettingsStore } from '../../../host/settings/settings.ts';
import type { CallRoom } from '../../../tools/calls/outside-calls.ts';
import type { PendingList } from '../../../tools/calls/pending.ts';
import type { Asker } from '../../../tools/chain/run-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { NotesPort } from '../../../tools/contract/ports.ts';
import { randomHex } from '../../../tools/util/hex.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { openAppServer } from '../desktop/open-app-server.ts';
import type { DeviceProgram } from '../device-programs.ts';
import type { AppDoor } from '../programs-port.ts';
import { McpHandler } from '../server/mcp-handler.ts';
import { NotedCalls, WAIT_MS } from '../server/noted-calls.ts';
import { ProgramCalls } from '../server/program-calls.ts';
import { type AppDoorDeps, DeviceDoor } from './app-door.ts';
import { bridgeCommand } from './bridge-command.ts';
import { PanelRoom, type PanelRoomDeps } from './panel-room.ts';

export interface AppCallsDeps extends PanelRoomDeps {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly notes: Pick<NotesPort, 'recentDocuments' | 'exportMarkdown'>;
  readonly projects: Projects | undefined;
}

/** Whose token it is. */
interface AppClient {
  readonly id: string;
  readonly name?: string;
  /** As it is let in at this moment; undefined if it is not any more. */
  readonly now: () => DeviceProgram | undefined;
  readonly project: ChatProject | undefined;
}

/** Throws where projects are not to be had: its program keeps to one. */
function projectOf({ projects }: AppCallsDeps, id: string): ChatProject | undefined {
  if (id !== '' && !projects)
    throw new ToolError('project_gone', 'projects are not available here', 'take the project of this program away');
  return id === '' ? undefined : projects?.of(id);
}

/** The calls of a program that came in through the app. */
class AppCalls extends NotedCalls {
  /** The person sits before the panel: what a program says of an answer does not count. */
  readonly consent = null;
  protected readonly waitMs = WAIT_MS;
  private readonly deps: AppCallsDeps;
  private readonly client: AppClient;
  private readonly name: string;
  /** Of the project of then. */
  private place: { readonly of: string; readonly room: PanelRoom; readonly project: ChatProject | undefined } | undefined;

  constructor(deps: AppCallsDeps, client: AppClient, name: string) {
    super();
    this.deps = deps;
    this.client = client;
    this.name = name;
  }

  override close(): void {
    super.close();
    this.place?.room.close();
  }

  protected get asker(): Asker {
    return this.client.now()?.writes === true ? 'program' : 'reader';
  }

  protected get pending(): PendingList {
    return this.deps.pending;
  }

  protected get notes(): AppCallsDeps['notes'] {
    return this.place?.project?.notes ?? this.deps.notes;
  }

  protected newId(): string {
    return this.deps.newId();
  }

  protected async room(): Promise<CallRoom> {
    const program = this.client.now();
    if (!program) throw new ToolError('no_right', 'this program is not let in any more', 'ask the user to let it in again');
    return this.placeOf(program.project ?? '').room.calls();
  }

  private placeOf(of: string) {
    if (this.place?.of === of) return this.place;
    const { deps, name } = this;
    // What was asked under another one is asked no more.
    this.place?.room.close();
    const project = projectOf(deps, of);
    this.place = {
      of,
      project,
      room: new PanelRoom(deps, { from: 'program', name, sessionId: programSession(name, deps.newId()), project }),
    };
    return this.place;
  }

  protected async ownPrompts(): Promise<readonly CustomPrompt[]> {
    return readPrompts(this.deps.settings.get().prompts);
  }
}

/** Listens for programs of this computer, which may what a program of the service may. */
const opener =
  (deps: AppCallsDeps): AppDoorDeps['open'] =>
  async (port, { programs, onCall }) => {
    const calls = new ProgramCalls<AppClient>((client, name) => new AppCalls(deps, client, name));
    const log = (line: string): void => console.warn(`Marginalia: ${line}`);
    const handler = new McpHandler<AppClient>({ calls, newId: deps.newId, now: deps.clock.now, log });
    const clientOf = (token: string): AppClient | null => {
      const hash = tokenHash(token);
      const program = programs().find((each) => isSameHash(tokenHash(each.token), hash));
      if (!program) return null;
      const { id, name, project = '' } = program;
      onCall(id);
      const now = (): DeviceProgram | undefined => programs().find((each) => each.id === id);
      return { id, now, project: project === '' ? undefined : deps.projects?.of(project), ...(name === '' ? {} : { name }) };
    };
    const door = await openAppServer({ port, clientOf, handle: (request, client) => handler.handle(request, client) });
    return {
      url: door.url,
      forget(id) {
        calls.forget(id);
        inBackground(handler.forget(id));
      },
      close() {
        door.close();
        inBackground(handler.close());
      },
    };
  };

/** Programs of this computer in the desktop app: from now on those that were let in are listened to. */
export function doorOfApp(deps: AppCallsDeps & Pick<AppDoorDeps, 'signal'>): AppDoor {
  const { newId, clock, signal } = deps;
  const own = { newId, newToken: () => randomHex(32), now: clock.now, command: bridgeCommand, platform: process.platform, signal };
  return new DeviceDoor({ ...own, open: opener(deps) });
}
