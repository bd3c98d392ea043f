import type { ChatProject } from '../chat/session/chat-project.ts';
import type { ExecutorPorts } from '../chat/turn/session.ts';
import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { HostBase } from '../host/host-base.ts';
import type { PushSource } from '../host/kernel/transaction-log.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { Settings } from '../host/settings/settings-format.ts';
import type { ToolExecutor, ToolGroup } from '../tools/index.ts';
import { Listeners } from '../tools/util/notify.ts';
import { aboutNotes } from './about-notes.ts';
import type { LazyGroups } from './groups/lazy-groups.ts';
import type { Notes } from './lazy-notes.ts';
import { type ChatExecutorDeps, createChatExecutor } from './workspace/chat-executor.ts';
import { followServerGroups } from './workspace/server-groups.ts';
import { applyToolSettings } from './workspace/tool-call-config.ts';

/** One executor per chat; the last one created belongs to the open chat, until another is shown. */
function executorMaker(
  deps: Omit<ChatExecutorDeps, 'moreGroups'> & {
    readonly settings: SettingsStore;
    readonly moreGroups: (project?: ChatProject) => readonly ToolGroup[];
    /** Calls back when `contents` gives something else. */
    readonly onContents: (listener: () => void) => unknown;
  },
) {
  let latest: ToolExecutor | undefined;
  /** Those of the open chat and of chats whose answers continue. */
  let open: readonly ToolExecutor[] = [];
  const listeners = new Listeners<[]>();
  const apply = (settings: Settings): void =>
    open.forEach((executor) => void applyToolSettings(executor, { settings, contents: deps.contents() }));
  deps.settings.subscribe(apply);
  deps.onContents(() => {
    apply(deps.settings.get());
    listeners.call();
  });
  const projects = new WeakMap<ToolExecutor, ChatProject>();
  const build = (ports: ExecutorPorts): ToolExecutor => {
    const { project } = ports;
    const made = createChatExecutor({ ...deps, notes: project ?? deps.notes, moreGroups: () => deps.moreGroups(project) }, ports);
    if (project) projects.set(made, project);
    return made;
  };
  /** Other tools, over other notes. */
  const arranged = (ports: ExecutorPorts, parts: Pick<ChatExecutorDeps, 'arrange' | 'notes'>): ToolExecutor =>
    createChatExecutor({ ...deps, moreGroups: () => deps.moreGroups(ports.project), ...parts, notes: ports.project ?? parts.notes }, ports);
  const make = (ports: ExecutorPorts): ToolExecutor => {
    latest = build(ports);
    open = [...open, latest];
    return latest;
  };
  const shown = (executors: readonly ToolExecutor[]): void => {
    open = executors;
    [latest] = executors;
  };
  /** Groups that were loaded after the chat was opened. */
  const join = async (groups: LazyGroups): Promise<void> => {
    await groups.get();
    for (const executor of open) groups.join(executor, deps.settings.get(), projects.get(executor));
    listeners.call();
  };
  /** The servers of other people's tools have others, or are gone. */
  const follow = (groups: readonly ToolGroup[]): void => {
    for (const executor of open) followServerGroups(executor, groups);
    apply(deps.settings.get());
    listeners.call();
  };
  /** Calls back when the open chat has more groups, or others are on; returns a function that stops listening. */
  const subscribe = (listener: () => void): (() => void) => {
    return listeners.add(listener);
  };
  const current = (): ToolExecutor => {
    if (!latest) throw new Error('no chat is open yet');
    return latest;
  };
  return { build, arranged, make, shown, join, follow, subscribe, current };
}

interface ExecutorParts extends Pick<ChatExecutorDeps, 'letsThrough'> {
  readonly moreGroups: (project?: ChatProject) => readonly ToolGroup[];
  readonly base: HostBase;
  readonly notes: Notes;
  readonly settings: SettingsStore;
  readonly policy: AccessPolicy;
  readonly pushes: PushSource;
  readonly signal: AbortSignal;
  /** Asked while the settings are read. */
  readonly server: Promise<string | undefined>;
}

/** The tools of each chat, which follow what the notes contain; `look` reads that. */
export async function openExecutors({ base, notes, settings, policy, pushes, signal, server, moreGroups, letsThrough }: ExecutorParts) {
  const { forTools, look } = aboutNotes(notes, settings, policy, pushes, signal);
  let meaning = await server;
  /** As it is now; the tools know it from then on. */
  const readServer = async (): Promise<string | undefined> => {
    meaning = await base.meaningServer(signal);
    return meaning;
  };
  const executors = executorMaker({ base, notes, settings, meaningServer: () => meaning, ...forTools, moreGroups, letsThrough });
  return { executors, contents: forTools.contents, look, readServer };
}

export type OpenExecutors = ReturnType<typeof executorMaker>;
