import type { ExecutorPorts } from '../chat/turn/session.ts';
import type { HostBase } from '../host/host-base.ts';
import type { NotesHost } from '../host/notes-host.ts';
import type { Settings, SettingsStore } from '../host/settings/settings.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { ToolGroup } from '../tools/contract/types.ts';
import { VariableSystem } from '../tools/executor/variables.ts';
import { createBasicGroup, createNotesGroups, GROUP_DEFAULTS, type ToolExecutor, toolExecutorFactory } from '../tools/index.ts';
import { timeZone } from './system-clock.ts';

export interface ChatExecutorParts {
  readonly base: Pick<HostBase, 'clock' | 'exportFiles'>;
  readonly notes: Pick<NotesHost, 'notes' | 'rights'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly searchByMeaning: boolean;
  /** By tool; default: those of the settings. */
  readonly permissions?: (settings: Settings) => Settings['permissions'];
  /** Groups that reach beyond notes, where this program has what they need. */
  readonly moreGroups?: (chat: GroupPorts) => readonly ToolGroup[];
}

/** What a group may need of the chat that it is made for. */
interface GroupPorts extends Pick<ExecutorPorts, 'approvalAdapter'> {
  readonly variables: VariableSystem;
}

/** Without `askUser` nobody is there to answer: the model is told to ask in its answer. */
type Ports = Pick<ExecutorPorts, 'approvalAdapter'> & Partial<Pick<ExecutorPorts, 'askUser'>>;

/** The tools of one chat, with variables and consent of its own. */
export function createChatExecutor(parts: ChatExecutorParts, { approvalAdapter, askUser }: Ports): ToolExecutor {
  const { base, notes, settings, searchByMeaning } = parts;
  const { clock, exportFiles } = base;
  const now = settings.get();
  // The list of steps is kept with the chat's other variables.
  const varSystem = new VariableSystem({ clock });
  return toolExecutorFactory({
    approvalAdapter,
    clock,
    varSystem,
    groups: [
      createBasicGroup({ clock, timeZone: timeZone(), variables: varSystem, ...(askUser ? { askUser } : {}) }),
      ...createNotesGroups(notes.notes, clock, { searchByMeaning, files: exportFiles }),
      ...(parts.moreGroups?.({ approvalAdapter, variables: varSystem }) ?? []),
    ],
    groupDefaults: { ...GROUP_DEFAULTS, ...now.groups },
    toolDefaults: now.tools,
    permissions: parts.permissions?.(now) ?? now.permissions,
    rights: notes.rights,
    localOnly: () => settings.get().localOnly,
  });
}

/** Asked once: the tools say what can be searched for. A kernel that does not answer is one that cannot. */
export async function canSearchByMeaning(base: HostBase, signal: AbortSignal): Promise<boolean> {
  try {
    return await base.canSearchByMeaning(signal);
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
