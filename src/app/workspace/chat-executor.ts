import type { ExecutorPorts } from '../../chat/turn/session.ts';
import type { HostBase } from '../../host/host-base.ts';
import type { NotesHost } from '../../host/notes-host.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import type { ToolGroup, ToolPermissionV2 } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { LetsThrough } from '../../tools/executor/ran-tools.ts';
import { VariableSystem } from '../../tools/executor/variables.ts';
import { toolExecutorFactory } from '../../tools/executor-factory.ts';
import type { ReadPdf } from '../../tools/file-text/pdf-text.ts';
import { createBasicGroup } from '../../tools/groups/basic/basic.ts';
import { createNotesGroups } from '../../tools/groups/notes-groups.ts';
import { CHAT_GROUPS } from './chat-groups.ts';
import type { ChatTools, OtherTools } from './chat-tools.ts';
import { maySearchBy } from './local-only-models.ts';
import { timeZone } from './system-clock.ts';
import { groupSwitches, toolCallConfigOf } from './tool-call-config.ts';

export interface ChatExecutorDeps {
  readonly base: Pick<HostBase, 'clock' | 'exportFiles'>;
  readonly notes: Pick<NotesHost, 'notes' | 'rights'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  /** SiYuan’s service for embeddings now, allowed or not; undefined if it has none. */
  readonly meaningServer: () => string | undefined;
  /** Languages of the notebooks, as far as known now. */
  readonly languages: () => readonly string[];
  /** What readable notes contain, as far as known now. */
  readonly contents: () => readonly NoteContents[];
  /** Reads PDFs in notes; default: in this program. */
  readonly readPdf?: ReadPdf | undefined;
  /** By tool; default: those of the settings. */
  readonly permissions?: (settings: Settings) => Readonly<Record<string, Partial<ToolPermissionV2>>>;
  /** Groups that reach beyond notes, if this program has what they need. */
  readonly moreGroups?: () => readonly ToolGroup[];
  /** Tells if a change needs no question, in a chat with all tools. */
  readonly letsThrough?: LetsThrough | undefined;
  /** Other tools than all of these, as in the run of an order. */
  readonly arrange?: ((groups: readonly ToolGroup[]) => readonly ToolGroup[]) | undefined;
}

/** The `askUser` of a program before which nobody sits. */
export const NOBODY_ANSWERS = { ask: async () => null };

/** Without `askUser` the model is instructed to ask in its answer instead. Without `chat` no sub-agent can run. */
type Ports = Pick<ExecutorPorts, 'approvalAdapter'> & Partial<Pick<ExecutorPorts, 'askUser' | 'chat'>>;

/** The tools of one chat, with its own variables and consent. */
export function createChatExecutor(deps: ChatExecutorDeps, ports: Ports): ToolExecutor {
  const tools: ChatTools = {
    ...{ executor: () => executor, chat: ports.chat, clock: deps.base.clock },
    another: (differences) => anotherExecutor(deps, { ...ports, gates }, executor, differences),
  };
  const groups = CHAT_GROUPS.map((open) => open(tools));
  const gates = groups.flatMap(({ name, gate }) => (gate ? { name, gate, tools: [] } : []));
  const executor: ToolExecutor = build(deps, ports, groups);
  return executor;
}

/** The chat's current rights, policies and switches, with separate variables. */
function anotherExecutor(
  deps: ChatExecutorDeps,
  { approvalAdapter, gates }: Pick<Ports, 'approvalAdapter'> & { readonly gates: readonly ToolGroup[] },
  chat: ToolExecutor,
  differences: OtherTools,
): ToolExecutor {
  const executor = build(deps, { approvalAdapter }, gates, differences);
  for (const { name, enabled, tools } of chat.groups()) {
    executor.toggleGroupEnabled(name, enabled);
    for (const tool of tools) executor.setToolEnabled(tool.name, tool.enabled);
  }
  return executor;
}

function build(
  deps: ChatExecutorDeps,
  { approvalAdapter, askUser }: Omit<Ports, 'chat'>,
  ofChat: readonly ToolGroup[],
  other?: OtherTools,
): ToolExecutor {
  const { base, notes, settings, meaningServer, languages, readPdf } = deps;
  const { clock, exportFiles } = base;
  const now = settings.get();
  const allowedServer = (): string | undefined => {
    const server = meaningServer();
    return server !== undefined && maySearchBy(server, settings.get()) ? server : undefined;
  };
  const config = toolCallConfigOf(now, deps.contents());
  // The list of steps is saved with the chat's other variables.
  const varSystem = new VariableSystem({ clock });
  const all = [
    createBasicGroup({ clock, timeZone: timeZone(), variables: varSystem, askUser }),
    ...createNotesGroups(notes.notes, clock, { meaningServer: allowedServer, languages, readPdf, files: exportFiles }),
    ...(deps.moreGroups?.() ?? []),
    ...ofChat,
  ];
  const groups = deps.arrange?.(all) ?? all;
  return toolExecutorFactory({
    approvalAdapter,
    clock,
    varSystem,
    groups: other ? groups.map(other.group) : groups,
    groupDefaults: groupSwitches(config, groups),
    toolDefaults: config.methodToggles,
    behavior: () => settings.get().toolCalls,
    permissions: deps.permissions?.(now) ?? now.permissions,
    rights: notes.rights,
    localOnly: () => settings.get().localOnly,
    skills: () => settings.get().skills.on,
    subAgent: other?.subAgent,
    // Nobody sits before the run of an order.
    letsThrough: deps.arrange || other ? undefined : deps.letsThrough,
    answersForms: askUser !== undefined && askUser !== NOBODY_ANSWERS,
  });
}

/** Asked once: the tools say what can be searched. A kernel that does not answer counts as unable. */
export async function meaningServerOf(base: HostBase, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await base.meaningServer(signal);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
