// Every way in × every gate: what each way does at each gate is observed, and is the table in docs/security.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventEmitter } from '../chain/event-stream.ts';
import { type Asker, callOf, GATES, runCall } from '../chain/run-call.ts';
import type { ToolChainEvent } from '../contract/events.ts';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallBehavior } from '../contract/tool-call-config.ts';
import type { ApprovalDecision, ApprovalRequest, Tool, ToolArguments, ToolContext } from '../contract/types.ts';
import { HeadlessApprovalAdapter } from '../executor/approvals.ts';
import { ASK_ALWAYS, testClock, testExecutor, testPlan, testTool } from '../testing/support.ts';

const ASKERS = Object.keys(GATES) as Asker[];

/** Where calls begin; each of these files names its asker, or is part of a chat's loop. */
const ENTRANCES: Readonly<Record<string, Asker | 'any'>> = {
  'src/features/tester/tool-tester.ts': 'tester',
  'src/chat/turn/turn.ts': 'any',
  'src/chat/turn/user-calls.ts': 'card',
  'src/features/orders/inbox.ts': 'proposal',
  'src/protocol/cycle.ts': 'any',
  'src/service/chats/live-chat.ts': 'any',
  'src/tools/calls/recorded-call.ts': 'any',
  'src/tools/chain/run-call.ts': 'any',
  'src/tools/chain/tool-chain.ts': 'model',
  'src/tools/chain/tool-round.ts': 'any',
  'src/features/orders/panel/written-orders.ts': 'form',
  'src/features/programs/panel/panel-room.ts': 'any',
};

/** Whose calls of other programs begin there; each file names its askers. */
const PROGRAMS: Readonly<Record<string, readonly Asker[]>> = {
  'src/features/programs/panel/app-calls.ts': ['program', 'reader'],
  'src/features/programs/panel/siyuan-agent.ts': ['host-agent'],
  'src/features/programs/service/client-calls.ts': ['program', 'reader'],
};

/** The modules that run calls, and their functions. */
const RUNNERS = ['/run-call.ts', '/recorded-call.ts', '/tool-round.ts'];
const BEGINS = /\b(runCall|startCall|startPersonsCall|runProgramsCall|runRound)\(/;

interface Scene {
  readonly permissions?: Readonly<Record<string, Tool['permission']>>;
  readonly behavior?: Partial<ToolCallBehavior>;
  readonly isLocalOnly?: boolean;
  readonly notesRead?: boolean;
  readonly isOff?: boolean;
  /** Allowed for this chat before. */
  readonly allowed?: readonly string[];
  readonly decide?: (request: ApprovalRequest, switchOff: () => void) => ApprovalDecision;
  readonly signal?: AbortSignal;
}

/** One call by one asker: what was asked, what ran, how it ended. */
async function call(asker: Asker, tool: string, args: ToolArguments = {}, scene: Scene = {}) {
  const ran: ToolContext[] = [];
  const asked: ApprovalRequest[] = [];
  const execute: Tool['execute'] = async (_args, context) => {
    ran.push(context);
    return { status: 'success', data: 'done' };
  };
  const auto = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
  const tools = [
    testTool('read', { execute, properties: { text: { type: 'string' } } }),
    testTool('shown', { execute, permission: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } }),
    testTool('write', { execute, effect: 'write', permission: ASK_ALWAYS, plan: async () => testPlan(), approvalScope: () => 'n' }),
    testTool('send', { execute, effect: 'outgoing', permission: auto, outgoing: () => ({ url: 'https://example.org', body: '{}' }) }),
    testTool('varies', {
      execute,
      effect: 'write',
      permission: ASK_ALWAYS,
      plan: async () => testPlan(),
      traits: () => ({ effect: 'write', permission: ASK_ALWAYS }),
    }),
    testTool('question', { execute, waitsForUser: true }),
    testTool('foreign', { execute, isForeign: true }),
  ];
  const approvalAdapter = new HeadlessApprovalAdapter((request) => {
    asked.push(request);
    return scene.decide?.(request, () => executor.toggleGroupEnabled('test', false)) ?? { approved: true };
  });
  const { executor } = testExecutor(tools, {
    approvalAdapter,
    localOnly: () => scene.isLocalOnly ?? false,
    behavior: () => ({ ...DEFAULT_TOOL_CALL_BEHAVIOR, ...scene.behavior }),
    ...(scene.permissions ? { permissions: scene.permissions } : {}),
  });
  if (scene.isOff) executor.toggleGroupEnabled('test', false);
  if (scene.notesRead) executor.noteNotesRead();
  for (const name of scene.allowed ?? []) executor.approvalRecords.allow(name, 'n');
  const events: ToolChainEvent[] = [];
  const clock = testClock();
  const emitter = createEventEmitter({ sessionId: 's', turnId: 't', clock, onEvent: (event) => events.push(event) });
  const options = { sessionId: 's', nodeId: 'n', clock };
  const signal = scene.signal ?? new AbortController().signal;
  const result = await runCall(callOf('c', tool, args), { asker, executor, emitter, options, signal });
  return { asked, ran, result, events, code: result.error?.code };
}

const REJECT = (): ApprovalDecision => ({ approved: false });

/** Each gate: what a way does there, in a word. Anything but these words is a hole. */
const GATE_PROBES: Readonly<Record<string, (asker: Asker) => Promise<string>>> = {
  'is the tool on': async (asker) => {
    const { ran, code } = await call(asker, 'read', {}, { isOff: true });
    return ran.length === 0 && (code === 'tool_disabled' || code === 'no_right') ? 'refused' : 'ran';
  },
  'still on when approved': async (asker) => {
    if (!GATES[asker].mayWrite) return '–';
    const off = (_request: ApprovalRequest, switchOff: () => void): ApprovalDecision => {
      switchOff();
      return { approved: true };
    };
    const { ran, code } = await call(asker, 'write', {}, { decide: off });
    return ran.length === 0 && code === 'tool_disabled' ? 'refused' : 'ran';
  },
  arguments: async (asker) => {
    const { ran, code } = await call(asker, 'read', { text: 7 });
    return ran.length === 0 && code === 'bad_arguments' ? 'checked' : 'ran';
  },
  'start by hand': async (asker) => {
    const { ran, asked } = await call(asker, 'read', {}, { behavior: { mode: 'manual' }, decide: REJECT });
    if (ran.length === 0) return asked[0]?.manual ? 'asks' : 'asks later';
    return asked.length === 0 ? 'person' : 'ran';
  },
  'ask before every call': async (asker) => {
    const { ran, asked } = await call(asker, 'read', {}, { behavior: { requireConfirmation: true }, decide: REJECT });
    return ran.length === 0 && asked.length === 1 ? 'asks' : 'person';
  },
  'a change': async (asker) => {
    // By a tool that only writes, and by one whose operations differ.
    const [one, other] = [await call(asker, 'write', {}, { decide: REJECT }), await call(asker, 'varies', {}, { decide: REJECT })];
    if (one.code === 'no_right' && other.code === 'no_right') return 'refused';
    return one.ran.length + other.ran.length === 0 && one.asked[0]?.plan && other.asked[0]?.plan ? 'plan' : 'ran';
  },
  'allowed for the chat before': async (asker) => {
    const { ran, asked, code } = await call(asker, 'write', {}, { allowed: ['write'], decide: REJECT });
    if (code === 'no_right') return 'refused';
    return ran.length === 0 && asked.length === 1 ? 'asks' : 'passes';
  },
  'what leaves the machine': async (asker) => {
    const policy = { send: { executionPolicy: 'auto', resultApprovalPolicy: 'never' } } as const;
    const fresh = await call(asker, 'send', {}, { permissions: policy, decide: REJECT });
    const after = await call(asker, 'send', {}, { permissions: policy, notesRead: true, decide: REJECT });
    const isShown = ({ ran, asked }: typeof fresh): boolean => ran.length === 0 && asked[0]?.outgoing !== undefined;
    if (after.code === 'no_right') return 'refused';
    if (!isShown(after)) return 'ran';
    return isShown(fresh) ? 'shown' : 'after reading';
  },
  'local only': async (asker) => {
    const { ran, asked, code } = await call(asker, 'send', {}, { isLocalOnly: true });
    return ran.length === 0 && asked.length === 0 && (code === 'local_only' || code === 'no_right') ? 'refused' : 'ran';
  },
  'show me the result first': async (asker) => {
    const { ran, asked, result } = await call(asker, 'shown', {}, { decide: ({ kind }) => ({ approved: kind !== 'result' }) });
    if (asked.some(({ kind }) => kind === 'result')) return result.status === 'result_rejected' ? 'asks' : 'shown';
    return ran.length === 1 ? 'person' : 'not run';
  },
  'tools for chats alone': async (asker) => {
    const [question, foreign] = [await call(asker, 'question'), await call(asker, 'foreign')];
    if (question.ran.length + foreign.ran.length === 2) return 'run';
    return question.code === 'no_right' && foreign.code === 'no_right' ? 'refused' : 'one runs';
  },
  'stopped before': async (asker) => {
    const { ran, result } = await call(asker, 'read', {}, { signal: AbortSignal.abort() });
    return ran.length === 0 && result.status === 'aborted' ? 'refused' : 'ran';
  },
  record: async (asker) => {
    const { events } = await call(asker, 'read');
    return events[0]?.type === 'tool-start' && events.at(-1)?.type === 'tool-end' ? 'whole' : 'none';
  },
};

const root = join(import.meta.dirname, '../../..');
const security = readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n');
/** The row of the page that begins with a word. */
const rowOf = (first: string): string | undefined => security.find((line) => line.startsWith(`| ${first} |`));
/** The gates at which all ways are alike. */
const ALIKE =
  security
    .find((line) => line.startsWith('Alike for all: '))
    ?.slice(15, -1)
    .split('; ') ?? [];

describe('the table of ways in and gates', () => {
  const gates = Object.keys(GATE_PROBES);

  it.each(gates)('holds for each way at the gate “%s”', async (gate) => {
    const words = await Promise.all(ASKERS.map((asker) => GATE_PROBES[gate]?.(asker)));
    if (new Set(words).size === 1) expect(ALIKE).toContain(`${gate}: ${words[0]}`);
    else expect(rowOf(gate)).toBe(`| ${[gate, ...words].join(' | ')} |`);
  });

  it('has a column for each way', () => {
    expect(rowOf('gate')).toBe(`| gate | ${ASKERS.join(' | ')} |`);
  });
});

describe('a person’s own text', () => {
  it.each(ASKERS)('of %s counts as such only in a form', async (asker) => {
    const { ran } = await call(asker, 'read');
    expect(ran.map(({ byPerson }) => byPerson ?? false)).toEqual([asker === 'form']);
  });
});

describe('a call', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(ts|svelte)$/.test(each.name) && !/\.test\.ts$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !path.includes('testing'))
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));

  it('is run by an executor in one place', () => {
    const running = sources.filter(({ text }) => /\b(executor|tools|executor\(\))\.execute\(/.test(text)).map(({ path }) => path);
    expect(running).toEqual(['src/tools/chain/run-call.ts']);
  });

  it('begins where the table has a way for it', () => {
    const begins = sources.filter(
      ({ path, text }) => RUNNERS.some((name) => path.endsWith(name) || text.includes(`${name}'`)) && BEGINS.test(text),
    );
    expect(begins.map(({ path }) => path).sort()).toEqual(Object.keys(ENTRANCES).sort());
    for (const { path, text } of begins) {
      const asker = ENTRANCES[path];
      if (asker !== 'any' && asker !== 'model') expect(text).toContain(`'${asker}'`);
    }
    const programs = sources.filter(({ text }) => /^(?:export )?class \w+ extends (?:OutsideCalls|NotedCalls)\b/m.test(text));
    expect(programs.map(({ path }) => path).sort()).toEqual(Object.keys(PROGRAMS).sort());
    for (const { path, text } of programs) for (const asker of PROGRAMS[path] ?? []) expect(text).toContain(`'${asker}'`);
  });
});
