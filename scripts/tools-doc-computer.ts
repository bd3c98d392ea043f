// The tools beyond notes, for docs/tools.md: their examples run in a folder made up for the page.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalFiles } from '../src/features/computer/desktop/files/local-files.ts';
import { createFilesGroup } from '../src/features/computer/files/files.ts';
import { createScriptGroup } from '../src/features/computer/script/script.ts';
import { planGroup } from '../src/features/plan-first/plan-group.ts';
import { createAgentsGroup, type SubAgents } from '../src/features/sub-agents/agents.ts';
import { spawnResult } from '../src/features/sub-agents/spawn-result.ts';
import type { ProgramsPort } from '../src/tools/contract/programs-port.ts';
import type { Tool, ToolArguments, ToolGroup } from '../src/tools/contract/types.ts';
import { COMPUTER_TOOLS } from '../src/tools/groups/common/beyond-notes.ts';
import { type ApprovalRequest, HeadlessApprovalAdapter, toolExecutorFactory } from '../src/tools/index.ts';
import { callOptions, testClock } from '../src/tools/testing/support.ts';

export interface ComputerExample {
  readonly tool: string;
  readonly args: ToolArguments;
}

/** A sub-agent that has found something; a real one is a model. */
const FOUND: SubAgents = {
  effectOf: () => 'read',
  names: () => [],
  run: async ({ label }) =>
    spawnResult(label, {
      ...{ ended: 'finished', text: 'The budget is tight ((20240131120000-abc1234 "the budget is tight")).', found: [] },
      ...{ rounds: 2, calls: 3, tokens: 8400, blockIds: ['20240131120000-abc1234'], sources: [], isPrivate: false },
    }),
};

/** A chat that plans first. */
const PLANNING = { chat: { settings: () => ({ planFirst: true }), thread: () => [] } } as unknown as Parameters<typeof planGroup>[0];
const { gate: _held, ...planning } = planGroup(PLANNING);

/** What programs print, and how long they take, is not the same on every machine. */
const STAND_IN: ProgramsPort = {
  shell: 'sh',
  prepare: async ({ language, code, timeoutSeconds }) => ({ language, code, folder: '/home/anna/files', timeoutSeconds }),
  run: async ({ language }) => ({
    exitCode: 0,
    stdout: { head: language === 'shell' ? '3 README.md\n' : '6\n', tail: '', omitted: 0 },
    stderr: { head: '', tail: '', omitted: 0 },
    durationMs: 40,
  }),
};

const groupsIn = (folder: string): readonly ToolGroup[] => {
  const files = new LocalFiles({ folders: () => [join(folder, 'files')], log: join(folder, 'log'), now: () => 0 });
  return [createFilesGroup(files), createScriptGroup(STAND_IN), createAgentsGroup(FOUND), planning];
};

export const computerGroups = groupsIn(tmpdir());

export const examplesOf = (tool: Tool): readonly ComputerExample[] =>
  COMPUTER_TOOLS.filter(({ name }) => name === tool.definition.function.name).flatMap(({ name, examples }) =>
    examples.map((args) => ({ tool: name, args })),
  );

/** Runs one example in a folder of its own; what the model reads of its result, and what Undo brings back. */
export async function runComputerExample({ tool, args }: ComputerExample) {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-tools-doc-'));
  try {
    mkdirSync(join(folder, 'files', 'plans'), { recursive: true });
    writeFileSync(join(folder, 'files', 'README.md'), '# Apollo\n\nLaunch in May.\n');
    writeFileSync(join(folder, 'files', 'log.txt'), 'Day one: fuel.\n');
    writeFileSync(join(folder, 'files', 'plans', 'crew.md'), 'Anna and Li.\n');
    const asked: ApprovalRequest[] = [];
    const approvalAdapter = new HeadlessApprovalAdapter((request) => {
      asked.push(request);
      return { approved: true };
    });
    const groups = groupsIn(folder);
    const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
    const executor = toolExecutorFactory({ approvalAdapter, clock: testClock(), groups, groupDefaults });
    return { result: await executor.execute(tool, args, callOptions()), undo: asked[0]?.plan?.undo.kind };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
