import type { ExecutorPorts } from '../../chat/turn/session.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import type { ToolExecutor } from '../../tools/index.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { ChatExecutorDeps } from '../workspace/chat-executor.ts';
import { groupSwitches, toolCallConfigOf } from '../workspace/tool-call-config.ts';
import type { createGroupsBeyondNotes, GroupsBeyondNotes, GroupsDeps } from './groups-beyond-notes.ts';

export interface LazyGroups {
  /** Those of the desktop app, and the others once they are loaded. */
  readonly make: NonNullable<ChatExecutorDeps['moreGroups']>;
  /** Adds them, once they are loaded, to a chat that was opened before. */
  readonly join: (executor: ToolExecutor, ports: ExecutorPorts, settings: Settings) => void;
  /** Rejects with `not_loaded`. */
  readonly get: () => Promise<GroupsBeyondNotes>;
}

const LATE = [{ name: 'web' }, { name: 'memory' }, { name: 'skills' }];

/** On for everybody, but of use only with skills: a note that holds them, or a file that was switched on. */
const hasSkills = ({ skills: { note, on } }: Settings): boolean => note !== '' || Object.values(on).includes(true);

/**
 * Groups that the panel opens without: loaded when the page is idle. If the settings enable one of them, it is awaited, so that
 * the first chat has it from the beginning.
 */
export async function lazyGroups(load: () => Promise<typeof createGroupsBeyondNotes>, deps: GroupsDeps): Promise<LazyGroups> {
  let loaded: GroupsBeyondNotes | undefined;
  const get = lazyPart(async () => {
    loaded = (await load())(deps);
    return loaded;
  });
  const switches = groupSwitches(toolCallConfigOf(deps.settings.get(), []), LATE);
  // What cannot be loaded now is tried again when the page is idle.
  const isWanted = (name: string): boolean => switches[name] === true && (name !== 'skills' || hasSkills(deps.settings.get()));
  if (LATE.some(({ name }) => isWanted(name))) await get().catch(() => undefined);
  return {
    get,
    make: (chat) => [...(deps.desktop?.groups() ?? []), ...(loaded?.make(chat) ?? [])],
    join(executor, { approvalAdapter }, settings) {
      const switches = groupSwitches(toolCallConfigOf(settings, []), LATE);
      const known = new Set(executor.groups().map(({ name }) => name));
      for (const group of loaded?.make({ approvalAdapter, variables: executor.varSystem }) ?? []) {
        if (known.has(group.name)) continue;
        executor.registerToolGroup(group);
        executor.toggleGroupEnabled(group.name, switches[group.name] === true);
      }
    },
  };
}
