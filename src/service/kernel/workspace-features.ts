import { environmentOf } from '../../app/workspace/group-environment.ts';
import { GROUPS } from '../../app/workspace/groups.ts';
import type { ChatProject } from '../../chat/session/chat-project.ts';
import { createPageReader, pageProgram } from '../../desktop/web/page-reader.ts';
import type { NotesHost } from '../../host/notes-host.ts';
import type { WriteHistory } from '../../tools/contract/ports.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';
import { BoundSecrets, SEARCH_KEY } from './bound-secrets.ts';
import type { WorkspaceHost } from './workspace-host.ts';
import type { ServiceStart, WorkspaceFeature, WorkspaceOptions } from './workspace-types.ts';

export type StartFeatures = (start: ServiceStart) => readonly WorkspaceFeature[];

/** Starts what features add to the workspace, together. */
export function openFeatures(
  { base, settings, configuration }: WorkspaceHost,
  options: WorkspaceOptions,
  startAll: StartFeatures,
  signal: AbortSignal,
) {
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (!reported.has(problem)) options.onProblem?.(problem);
    reported.add(problem);
  };
  const environment = { ...process.env, [SEARCH_KEY]: options.searchKey };
  const secrets = new BoundSecrets(options.data, environment, options.allowedSecrets);
  const reader = createPageReader({ program: pageProgram() });
  const list = startAll({ base, options, settings, secrets, reader, siyuan: configuration.folder, report, signal });
  const late = (): readonly ToolGroup[] => list.flatMap((each) => each.late?.() ?? []);
  return {
    readPdf: reader.readPdf,
    models: list.find((each) => each.models)?.models,
    late,
    projects: list.find((each) => each.projects)?.projects,
    /** With those that both programs have. */
    groups: (over: NotesHost, project: ChatProject | undefined): readonly ToolGroup[] => [
      ...list.flatMap((each) => each.groups?.() ?? []),
      ...GROUPS.map((open) => open(environmentOf({ notes: over.notes, settings, data: base.data }, project))),
      ...late(),
    ],
    history: (notes: WriteHistory): WriteHistory => list.reduce((joined, { history }) => history?.(joined) ?? joined, notes),
    refresh: (): void => list.forEach((each) => void each.refresh?.()),
    close: (): void => list.forEach((each) => void each.close?.()),
  };
}
