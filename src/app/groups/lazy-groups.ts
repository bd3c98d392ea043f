import type { ChatProject } from '../../chat/session/chat-project.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/index.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { environmentOf, type GroupEnvironment, type LateGroup, type OpenGroup } from '../workspace/group-environment.ts';
import { groupSwitches, toolCallConfigOf } from '../workspace/tool-call-config.ts';

export interface LazyGroups {
  /** Those that are loaded; `project`: for a chat of one. */
  readonly make: (project?: ChatProject) => readonly ToolGroup[];
  /** Adds them, once they are loaded, to a chat that was opened before. */
  readonly join: (executor: ToolExecutor, settings: Settings, project?: ChatProject) => void;
  /** Rejects with `not_loaded`. */
  readonly get: () => Promise<unknown>;
}

/**
 * Groups that the panel opens without: loaded when the page is idle. If the settings enable one of them, it is awaited, so that
 * the first chat has it from the beginning.
 */
export async function lazyGroups(
  load: () => Promise<readonly OpenGroup[]>,
  late: readonly LateGroup[],
  environment: GroupEnvironment,
): Promise<LazyGroups> {
  const { settings } = environment;
  let loaded: readonly OpenGroup[] = [];
  const get = lazyPart(async () => {
    loaded = await load();
  });
  const make: LazyGroups['make'] = (project) => loaded.map((open) => open(environmentOf(environment, project)));
  const switches = groupSwitches(toolCallConfigOf(settings.get(), []), late);
  // What cannot be loaded now is tried again when the page is idle.
  if (late.some(({ name, isOfUse }) => switches[name] === true && isOfUse?.(settings.get()) !== false)) await get().catch(() => undefined);
  return {
    get,
    make,
    join(executor, now, project) {
      const switches = groupSwitches(toolCallConfigOf(now, []), late);
      const known = new Set(executor.groups().map(({ name }) => name));
      for (const group of make(project)) {
        if (known.has(group.name)) continue;
        executor.registerToolGroup(group);
        executor.toggleGroupEnabled(group.name, switches[group.name] === true);
      }
    },
  };
}
