import { createMemoryGroup } from '../../features/memory/memory.ts';
import { Skills } from '../../features/skills/skills.ts';
import { createSkillsGroup } from '../../features/skills/skills-group.ts';
import { createWebGroup } from '../../features/web/web.ts';
import { createWebFetch } from '../../features/web/web-fetch.ts';
import type { AskUser, NotesPort } from '../contract/ports.ts';
import type { NoteRights } from '../contract/provenance.ts';
import type { ApprovalDecision, ApprovalRequest, ToolGroup } from '../contract/types.ts';
import { VariableSystem } from '../executor/variables.ts';
import { createBasicGroup, createNotesGroups, HeadlessApprovalAdapter, toolExecutorFactory } from '../index.ts';
import { NEVER } from '../util/abort.ts';
import { sampleWeb } from './sample-web.ts';
import { callOptions, testClock } from './support.ts';

export interface NotesToolsOptions {
  readonly decision?: ApprovalDecision;
  readonly meaningServer?: string;
  readonly askUser?: AskUser;
  /** Without a place for files, no tool writes them. */
  readonly withoutFiles?: boolean;
}

const REVIEW = `---
name: Weekly review
description: Use it when a week is looked back on.
---
List the notes of the last seven days, then the open tasks in them. Ask before anything is moved.`;

/** One skill, of a file that is switched on. */
const sampleSkills = (notes: NotesPort): Skills =>
  new Skills({
    notes,
    choices: () => ({ note: '', on: { 'file:review': true } }),
    files: { folders: async () => ['review'], read: async (path) => (path.endsWith('/review/SKILL.md') ? REVIEW : null) },
  });

/** Every group over notes, all switched on. `asked` grows with each approval; `files` with each file. */
export function notesTools(notes: NotesPort, rights: NoteRights, memoryNotebook: string, options: NotesToolsOptions) {
  const { decision = { approved: true }, meaningServer, askUser, withoutFiles = false } = options;
  const asked: ApprovalRequest[] = [];
  const files: { readonly name: string; readonly markdown: string }[] = [];
  const clock = testClock(Date.UTC(2026, 0, 15, 12));
  const variables = new VariableSystem({ clock });
  const write = async (name: string, markdown: string) => {
    files.push({ name, markdown });
    return { path: `/exports/${name}` };
  };
  const groups: readonly ToolGroup[] = [
    createBasicGroup({ clock, timeZone: 'UTC', variables, askUser }),
    ...createNotesGroups(notes, clock, { meaningServer: () => meaningServer, files: withoutFiles ? undefined : { write } }),
    createMemoryGroup(notes, { get: () => ({ notebook: memoryNotebook, document: '' }), title: 'Memory' }),
    createSkillsGroup(sampleSkills(notes)),
    createWebGroup(sampleWeb.search, createWebFetch(sampleWeb.pages)),
  ];
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter((request) => {
      asked.push(request);
      return decision;
    }),
    clock,
    varSystem: variables,
    groups,
    groupDefaults: Object.fromEntries([...groups, { name: 'vars' }].map(({ name }) => [name, true])),
    rights,
  });
  const call = async (name: string, args: object = {}) => {
    await executor.prepareGroups(NEVER);
    return executor.execute(name, { ...args }, callOptions());
  };
  const text = async (name: string, args: object = {}) => {
    const result = await call(name, args);
    return String(result.formattedText ?? result.finalText);
  };
  return { executor, groups, asked, files, variables, call, text };
}
