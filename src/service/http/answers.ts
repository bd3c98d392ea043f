// The shapes of answers, for the OpenAPI description; tests check the answers against them.
import * as v from 'valibot';
import { EXECUTE_STATUSES } from '../../tools/contract/types.ts';
import { OPEN_STATUSES } from '../chats/messages.ts';

export const maybe = <const T extends v.GenericSchema>(schema: T) => v.nullable(schema);
export const text = v.string();
const fields = v.record(v.string(), v.unknown());
export const time = v.pipe(v.string(), v.isoTimestamp());
const seconds = v.pipe(v.number(), v.description('Seconds since 1970'));
const milliseconds = v.pipe(v.number(), v.description('Milliseconds'));

const failure = v.object({ code: text, message: text, next: v.pipe(text, v.description('What to do; may be empty')) });
export const errorAnswer = v.object({ error: failure });

const callFields = {
  id: text,
  name: text,
  arguments: fields,
  result: maybe(text),
  error: maybe(failure),
  status: v.pipe(
    v.picklist([...EXECUTE_STATUSES, ...OPEN_STATUSES]),
    v.description('`running` and `waiting` (for an approval) of an answer that is being written'),
  ),
  duration: milliseconds,
};

const spawnProgress = v.object({ calls: v.number(), running: v.array(text) });

/** A sub-agent starts none of its own. */
const spawnTask = v.object({
  id: text,
  label: text,
  task: text,
  status: v.picklist(['running', 'completed', 'stopped', 'error', 'interrupted']),
  progress: spawnProgress,
  tool_calls: v.array(v.object({ ...callFields, spawn_task: v.null() })),
  result: maybe(text),
  error: maybe(failure),
  tokens: maybe(v.number()),
  duration: milliseconds,
});
const call = v.object({ ...callFields, spawn_task: maybe(spawnTask) });

const requested = v.object({ requestId: text, toolName: text, args: fields });
const executed = v.object({
  requestId: text,
  toolName: text,
  status: v.picklist(['success', 'error']),
  result: text,
  durationMs: milliseconds,
});

const end = v.optional(
  v.pipe(
    text,
    v.description(
      'How an answer ended that is not simply whole: `length` (its limit cut it off), `filter`, `refusal`, `text-call` (a call as text, which did not run)',
    ),
  ),
);

export const messageAnswer = v.object({
  id: text,
  session_id: text,
  role: v.picklist(['user', 'assistant']),
  content: text,
  created_at: time,
  tool_calls: v.array(call),
  metadata: v.optional(v.object({ toolCallsRequested: v.array(requested), toolCall: v.array(executed) })),
  status: v.optional(v.picklist(['running', 'stopped', 'error', 'interrupted'])),
  error: v.optional(failure),
  end,
});

const usage = maybe(fields);
const turnStatus = v.picklist(['completed', 'aborted', 'error']);

export const wholeAnswer = v.object({
  session_id: text,
  message_id: text,
  status: turnStatus,
  end,
  content: text,
  tool_calls: v.array(call),
  usage,
  error: maybe(failure),
});

export const chatAnswer = v.object({
  id: text,
  title: text,
  updated_at: time,
  messages: v.number(),
  pinned: v.boolean(),
  archived: v.boolean(),
  tags: v.array(text),
});

const planned = v.object({
  id: text,
  tool: text,
  notebook: v.object({ id: text, name: text }),
  document: v.object({ id: maybe(text), title: text, path: text }),
  operations: v.array(v.pipe(fields, v.description('One change; accepted_operations takes its id'))),
  anchorId: maybe(text),
  undo: v.pipe(fields, v.description('kind: what can be undone: exact, partial or none')),
  needsRight: v.optional(v.pipe(v.picklist(['write', 'delete']), v.description('A right that the notebook does not give'))),
  notices: v.array(fields),
});
const program = v.object({
  language: v.picklist(['shell', 'python', 'javascript']),
  code: v.pipe(text, v.description('The command or the script, all of it')),
  folder: v.pipe(text, v.description('Where it starts')),
  timeoutSeconds: v.number(),
  file: v.optional(v.pipe(text, v.description('Of a script of your own'))),
  manifest: v.optional(text),
  isNew: v.optional(v.pipe(v.literal(true), v.description('Not approved yet in this version'))),
});

export const approvalFields = {
  id: text,
  session_id: text,
  call_id: text,
  kind: v.picklist(['execution', 'result']),
  tool: text,
  arguments: fields,
  plan: v.optional(v.pipe(planned, v.description('The proposed change'))),
  outgoing: v.optional(v.object({ destination: text, body: text })),
  program: v.optional(v.pipe(program, v.description('The program that would run, in full'))),
  result: v.optional(text),
  scope: v.optional(text),
  lasting: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'To approve it also allows what `scope` says: for the rest of the chat, or, where data leaves (`outgoing`), until a note is read in it',
      ),
    ),
  ),
  manual: v.optional(v.pipe(v.literal(true), v.description('Decides only whether the call starts; a write asks again, with its plan'))),
  spawn: v.optional(v.pipe(v.object({ id: text, label: text }), v.description('The sub-agent that asks'))),
};
export const approvalAnswer = v.object({
  ...approvalFields,
  from: v.pipe(v.picklist(['chat', 'program', 'order', 'host-agent']), v.description('Whose call it is')),
  title: v.pipe(text, v.description('Of the chat; of a program its name')),
});
export const decidedAnswer = v.object({ decided: v.literal(true) });
export const abortedAnswer = v.object({ aborted: v.boolean() });

const record = {
  id: text,
  session_id: text,
  message_id: maybe(text),
  answer_id: text,
  call_id: text,
  parent_call_id: v.optional(text),
  tool_name: text,
  arguments: v.pipe(text, v.description('JSON')),
  result: maybe(text),
  error: maybe(failure),
  status: v.picklist(['running', ...EXECUTE_STATUSES]),
  duration_ms: maybe(milliseconds),
  timestamp: time,
  user_message: text,
  effect: v.picklist(['read', 'write', 'outgoing']),
};
export const recordAnswer = v.object(record);
export const wholeRecordAnswer = v.object({
  ...record,
  sources: v.array(
    v.object({
      notebook: v.optional(text),
      document: v.optional(text),
      blocks: v.optional(v.array(text)),
      except: v.optional(v.array(text)),
    }),
  ),
  written: maybe(v.object({ document_id: text, block_ids: v.array(text), title: maybe(text) })),
});

/** `reasons`: why something was left as it is. */
export const undoneAnswer = v.object({
  restored: v.array(text),
  conflicts: v.array(
    v.object({
      block_id: text,
      reasons: v.array(v.pipe(v.looseObject({ code: text }), v.description('Why it was left alone'))),
    }),
  ),
});

const counts = { calls: v.number(), failed: v.number() };
export const statisticsAnswer = v.object({
  total: v.number(),
  by_status: v.record(v.string(), v.number()),
  by_tool: v.array(v.object({ tool_name: text, ...counts, duration_ms: maybe(v.object({ average: v.number(), longest: v.number() })) })),
  by_day: v.array(v.object({ day: v.pipe(text, v.isoDate()), ...counts })),
});
export const removedAnswer = v.object({ removed: v.number() });

/** `doors`: names of the ways in besides chats. */
export const indexAnswer = (doors: readonly string[]) =>
  v.object({
    ...{ chat: text, ...Object.fromEntries(doors.map((door) => [door, text])), description: text },
    routes: v.array(v.object({ method: text, path: text, summary: text })),
  });

export const healthAnswer = v.object({ status: v.literal('ok') });

const warnings = v.optional(v.array(failure));

/** The data of server-sent events, by name. */
export const EVENTS = {
  start: v.object({ message_id: text, session_id: text }),
  message: v.object({ content: text }),
  tool_writing: v.object({
    index: v.pipe(v.number(), v.description('Of the call within the answer')),
    tool: text,
    arguments: v.pipe(v.record(v.string(), text), v.description('What has come so far, as text; of a long one, only its end')),
    timestamp: seconds,
  }),
  tool_start: v.object({ id: text, tool: text, arguments: fields, timestamp: seconds }),
  tool_complete: v.object({ id: text, tool: text, result: text, duration_ms: milliseconds, timestamp: seconds }),
  tool_error: v.object({
    id: text,
    tool: text,
    status: v.picklist(EXECUTE_STATUSES),
    error: v.object({ code: text, message: text, next: v.optional(text) }),
    reason: v.optional(text),
    duration_ms: milliseconds,
    timestamp: seconds,
  }),
  spawn_progress: v.object({ id: text, progress: spawnProgress, timestamp: seconds }),
  approval_request: v.object({ ...approvalFields, timestamp: seconds }),
  approval_end: v.object({ id: text, decision: v.picklist(['approved', 'rejected', 'aborted']), reason: v.optional(text) }),
  done: v.object({ message_id: text, status: turnStatus, end, usage, warnings }),
  error: v.object({ code: text, message: text, next: text, message_id: v.optional(text), end, warnings }),
  reconnect: failure,
} as const;
