import { type ChatExecutorDeps, createChatExecutor, NOBODY_ANSWERS } from '../../app/workspace/chat-executor.ts';
import { type NotebookLevels, onceForLevels } from '../../app/workspace/narrowed-policy.ts';
import { followServerGroups } from '../../app/workspace/server-groups.ts';
import { applyToolSettings } from '../../app/workspace/tool-call-config.ts';
import { type ChatProject, type Projects, refuseProject } from '../../chat/session/chat-project.ts';
import type { SessionDeps } from '../../chat/turn/session.ts';
import type { NotesHost } from '../../host/notes-host.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import type { ApprovalAdapter } from '../../tools/contract/types.ts';
import { HeadlessApprovalAdapter, type ToolExecutor, type ToolGroup } from '../../tools/index.ts';
import { ASK_ALWAYS, permissionsUnder, type UnattendedPolicy } from '../contract/policy.ts';
import type { Unattended, Workspace } from './workspace-types.ts';

const NOBODY = new HeadlessApprovalAdapter(() => ({ approved: false, reason: 'the policy of this service does not allow it' }));

export interface WorkspaceToolsOptions extends Pick<ChatExecutorDeps, 'base' | 'settings' | 'readPdf'> {
  /** The notes, under narrower rights where levels are given. */
  readonly at: (levels?: NotebookLevels) => NotesHost;
  /** What is known of them. */
  readonly about: {
    readonly search: Pick<ChatExecutorDeps, 'meaningServer' | 'languages'>;
    /** What these notes contain, as far as they may be read. */
    readonly contentsOf: (over: NotesHost) => ChatExecutorDeps['contents'];
  };
  /** What reaches beyond notes; `late`: those groups that may come while a chat is open. */
  readonly features: {
    readonly groups: (over: NotesHost, project: ChatProject | undefined) => readonly ToolGroup[];
    readonly late: () => readonly ToolGroup[];
  };
  readonly projects: Projects | undefined;
  /** Gets the names of the tools that may run without asking. */
  readonly policy: ((tools: ReadonlySet<string>) => UnattendedPolicy) | undefined;
}

export interface WorkspaceTools
  extends Pick<Workspace, 'executorFactory' | 'toolsFor' | 'applySettings' | 'readProject'>,
    Pick<Unattended, 'runTools' | 'notesFor'> {
  /** Tools that ask each time, whatever the policy: for what a person decides. */
  asking(approvalAdapter: ApprovalAdapter): ToolExecutor;
}

/** The tools of a workspace under the policy of this service. Throws UsageError if the policy names other tools. */
export function openTools({ base, settings, at, readPdf, about, features, projects, policy: read }: WorkspaceToolsOptions): WorkspaceTools {
  const notes = at();
  const contentsFor = new WeakMap<ToolExecutor, ChatExecutorDeps['contents']>();
  const projectFor = new WeakMap<ToolExecutor, Pick<ChatProject, 'read'>>();
  const factory = (
    over: NotesHost,
    { allow, otherwise }: UnattendedPolicy,
    arrange?: ChatExecutorDeps['arrange'],
  ): SessionDeps['executorFactory'] => {
    const contents = about.contentsOf(over);
    return ({ approvalAdapter, chat, project }) => {
      const more = { contents, moreGroups: () => features.groups(over, project) };
      const permissions = (now: Settings) => permissionsUnder(allow, now.permissions);
      const parts = { base, notes: project ?? over, settings, readPdf, ...about.search, permissions, arrange, ...more };
      const executor = createChatExecutor(parts, { approvalAdapter: otherwise === 'reject' ? NOBODY : approvalAdapter, chat });
      contentsFor.set(executor, contents);
      if (project) projectFor.set(executor, project);
      return executor;
    };
  };
  const all = factory(notes, ASK_ALWAYS)({ approvalAdapter: NOBODY, askUser: NOBODY_ANSWERS }).groups();
  const names = all.flatMap(({ tools }) => tools.flatMap(({ name, leastPolicy }) => (leastPolicy === 'auto' ? [name] : [])));
  const policy = read?.(new Set(names)) ?? ASK_ALWAYS;
  const applySwitches = (executor: ToolExecutor): void => {
    const now = settings.get();
    applyToolSettings(executor, {
      settings: now,
      contents: contentsFor.get(executor)?.() ?? [],
      permissions: permissionsUnder(policy.allow, now.permissions),
    });
  };
  const runNotes = onceForLevels(at);
  return {
    executorFactory: factory(notes, policy),
    toolsFor(levels, id) {
      const over = at(levels);
      const made = factory(over, policy);
      if (id === undefined) return { executorFactory: made, notes: over.notes, project: undefined };
      const project = projects?.of(id, levels);
      const executorFactory: typeof made = (ports) => made({ ...ports, project });
      return { executorFactory, notes: (project ?? over).notes, project: project ?? { read: refuseProject, instructions: '' } };
    },
    readProject: async (executor, signal) => projectFor.get(executor)?.read(signal),
    notesFor: (levels) => runNotes(levels).notes,
    runTools(ports, arrange, levels) {
      const executor = factory(runNotes(levels), policy, arrange)(ports);
      // Without tools of other people's servers.
      applySwitches(executor);
      return executor;
    },
    asking: (approvalAdapter) => factory(notes, ASK_ALWAYS)({ approvalAdapter, askUser: NOBODY_ANSWERS }),
    applySettings: (executor) => {
      followServerGroups(executor, features.late());
      applySwitches(executor);
    },
  };
}
