import type { ChatExecutorDeps } from '../../app/workspace/chat-executor.ts';
import type { GuestModels } from '../../app/workspace/chat-model.ts';
import type { asChatStorage } from '../../app/workspace/chat-storage.ts';
import type { NotebookLevels } from '../../app/workspace/narrowed-policy.ts';
import type { ChatModels } from '../../chat/controller/controller-deps.ts';
import type { CustomPrompt } from '../../chat/prompts/custom-prompts.ts';
import type { ChatProject, Projects } from '../../chat/session/chat-project.ts';
import type { createChatStore } from '../../chat/store/store.ts';
import type { KeyValueStore } from '../../chat/store/window-registry.ts';
import type { ExecutorPorts, SessionDeps } from '../../chat/turn/session.ts';
import type { PageReader } from '../../desktop/web/page-reader.ts';
import type { AccessPolicy } from '../../host/access/access-policy.ts';
import type { HostBase } from '../../host/host-base.ts';
import type { NotesHost } from '../../host/notes-host.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { NotesPort, WriteHistory } from '../../tools/contract/ports.ts';
import type { ApprovalAdapter, ToolGroup } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ReadPdf } from '../../tools/file-text/pdf-text.ts';
import type { UnattendedPolicy } from '../contract/policy.ts';
import type { PanelRecordsOptions } from '../records/panel-records.ts';
import type { AllowedSecret, BoundSecrets } from './bound-secrets.ts';
import type { GivenModel, WorkspaceSettings } from './workspace-settings.ts';

type ChatStorage = ReturnType<typeof asChatStorage>;

export interface WorkspaceOptions {
  /** The service's own folder. */
  readonly data: string;
  /** Called when something cannot be used. */
  readonly onProblem?: (problem: string) => void;
  /** Folders that the tools may use, relative paths in the first. Default: `files` in the service's own. */
  readonly folders?: readonly string[] | undefined;
  /** Folder of the person's own scripts. Default: `scripts` in the service's own. */
  readonly scripts?: string | undefined;
  /** Key of the search service; has precedence over the settings. */
  readonly searchKey?: string | undefined;
  /** Whether servers that are programs may be started: the settings, which name them, are synced. */
  readonly mcpPrograms?: boolean | undefined;
  /** Origin of the kernel, without a trailing slash. */
  readonly kernel: string;
  readonly kernelToken?: string | undefined;
  /** Of days in cells, daily notes and orders. Default: that of `TZ`, else SiYuan's. */
  readonly zone?: string | undefined;
  /** Name of this service in the files that it writes; kept over restarts. */
  readonly device: string;
  /** Where messages of chats are noted at once, before any file of the workspace has them. */
  readonly unsaved: KeyValueStore;
  /** Absent: the model of the workspace's settings answers. */
  readonly model?: GivenModel | undefined;
  /** Where secrets of the environment may go from now on, besides the place that each went to first. */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
  /** Gets the names of the tools that may run without asking. */
  readonly policy?: ((tools: ReadonlySet<string>) => UnattendedPolicy) | undefined;
}

/** Tools and notes under the rights of one program. */
export interface ProgramTools {
  readonly executorFactory: SessionDeps['executorFactory'];
  readonly notes: Pick<NotesPort, 'recentDocuments' | 'exportMarkdown'>;
  /** Of its project; undefined without one. */
  readonly project: Pick<ChatProject, 'read' | 'instructions'> | undefined;
}

/** For what runs without a person before it. */
export interface Unattended {
  readonly settings: () => Settings;
  readonly storage: ChatStorage;
  /** Its own, which no other program writes at the same time. */
  readonly leaseStorage: HostBase['cache'];
  readonly notes: NotesHost['notes'];
  /** The model of a name; undefined for none. */
  readonly modelNamed: (name: string) => ModelRef | undefined;
  /** Tools of a run: other ones than all, under narrower rights. */
  readonly runTools: (ports: ExecutorPorts, arrange: NonNullable<ChatExecutorDeps['arrange']>, levels?: NotebookLevels) => ToolExecutor;
  /** The notes under narrower rights. */
  readonly notesFor: (levels: NotebookLevels) => NotesHost['notes'];
  readonly projects: Projects | undefined;
  /** Tools that ask each time: for what a person decides. */
  readonly executor: (approvalAdapter: ApprovalAdapter) => ToolExecutor;
}

/** A SiYuan workspace behind its kernel: everything that chats of the service need. */
export interface Workspace extends SessionDeps {
  /** What runs by itself works with. */
  readonly unattended: Unattended;
  /** The tools of a program that may do less than the workspace: `levels` by notebook; absent: as much. `project`: the one that it keeps to. */
  readonly toolsFor: (levels?: NotebookLevels, project?: string) => ProgramTools;
  /** Absent without the feature. */
  readonly projects: Projects | undefined;
  /** All notebooks, whatever their rights. */
  readonly notebooks: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** The user's own prompts. */
  readonly prompts: () => readonly CustomPrompt[];
  /** Applies the current switches and policies to the tools of an open chat. */
  readonly applySettings: (executor: ToolExecutor) => void;
  /** Reads the project that tools keep to, if any. Rejects with ToolError. */
  readonly readProject: (executor: ToolExecutor, signal: AbortSignal) => Promise<void>;
  readonly readPdf: ReadPdf;
  readonly store: ReturnType<typeof createChatStore>;
  readonly models: ChatModels;
  /** Undo and Redo of what was written into notes and files. */
  readonly history: Pick<WriteHistory, 'undo' | 'redo' | 'state'>;
  readonly problem: WorkspaceSettings['problem'];
  /** Where the panel finds the records of tool calls, and for how many days it keeps them. */
  readonly shownRecords: Pick<PanelRecordsOptions, 'storage' | 'days'>;
  /** Reads changes of settings and rights. Rejects with ToolError if the kernel does not answer. */
  refresh(): Promise<void>;
  close(): void;
}

/** The workspace that a feature is opened in. */
export interface ServiceStart {
  readonly options: WorkspaceOptions;
  readonly base: HostBase;
  readonly settings: WorkspaceSettings;
  readonly secrets: BoundSecrets;
  /** One for pages and PDFs, of the web and of notes: it limits how many are read at a time. */
  readonly reader: PageReader;
  /** SiYuan's folder, if it is on this machine. */
  readonly siyuan: string | undefined;
  /** Called with a problem, each of which is logged once. */
  readonly report: (problem: string) => void;
  readonly signal: AbortSignal;
}

/** What a feature adds to the workspace. What is absent, it does without. */
export interface WorkspaceFeature {
  /** More models to answer with. */
  readonly models?: GuestModels;
  readonly groups?: () => readonly ToolGroup[];
  /** Groups that come and go. */
  readonly late?: () => readonly ToolGroup[];
  readonly history?: (notes: WriteHistory) => WriteHistory;
  /** What chats, orders and programs can be given. */
  readonly projects?: (notes: NotesHost, under: (policy: AccessPolicy) => NotesHost) => Projects;
  /** Called when the settings may have changed. */
  readonly refresh?: () => void;
  readonly close?: () => void;
}
