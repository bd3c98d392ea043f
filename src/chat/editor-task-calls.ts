import { ToolError } from '../tools/errors.ts';
import type { EventError } from '../tools/events.ts';
import type { ToolExecutor } from '../tools/executor.ts';
import { preview } from '../tools/graphemes.ts';
import type { ApprovalRequest, ToolArguments, ToolExecuteResult } from '../tools/types.ts';
import { cleanAnswer, joinedParts, keepForm, shapeOf, splitParts } from './editor-task-instructions.ts';
import type { TaskSource } from './editor-task-reading.ts';
import type { EditorTaskRequest } from './editor-task-types.ts';

/** A call of a tool that the task wants to make: the only way in which it writes. */
export interface WantedCall {
  readonly tool: 'edit_block' | 'insert_blocks' | 'rewrite_doc';
  readonly args: ToolArguments;
}

/** The model's text as an argument: a reference in it is text, not a variable of the chat. */
const asArgument = (text: string): string => text.replaceAll(/(?<!\\)\$VAR_REF\{\{/g, '\\$VAR_REF{{');

/** The answer as it is shown and inserted. */
export function readableAnswer(answer: string, source: Pick<TaskSource, 'blocks'> | null): string {
  return joinedParts(cleanAnswer(answer, source?.blocks.some((block) => block.type === 'c') ?? false)).trim();
}

export function insertCall(source: TaskSource, answer: string): WantedCall {
  const { anchor, position } = source.place;
  return { tool: 'insert_blocks', args: { anchor, position, markdown: asArgument(readableAnswer(answer, source)) } };
}

function editCalls(source: TaskSource, answer: string): readonly WantedCall[] | undefined {
  const clean = cleanAnswer(
    answer,
    source.blocks.some((block) => block.type === 'c'),
  );
  const [only] = source.blocks;
  if (source.selection !== undefined && only) {
    const edits = [{ old: asArgument(source.selection), new: asArgument(clean) }];
    return [{ tool: 'edit_block', args: { id: only.id, expectHash: only.hash, edits } }];
  }
  const blocks = source.blocks.filter((block) => block.markdown.trim() !== '');
  const parts = splitParts(clean, blocks.length);
  return parts?.flatMap((part, index): WantedCall[] => {
    const block = blocks[index];
    if (!block || (part === block.markdown.trim() && blocks.length > 1)) return [];
    const markdown = asArgument(keepForm(block.type, block.markdown, part));
    return [{ tool: 'edit_block', args: { id: block.id, expectHash: block.hash, markdown } }];
  });
}

/** The calls that put an answer where its action wants it; none for an answer that is only read. */
export function wantedCalls(
  request: EditorTaskRequest,
  source: TaskSource,
  answer: string,
  executor: Pick<ToolExecutor, 'isCallable'>,
): readonly WantedCall[] {
  const shape = shapeOf(request.action);
  if (shape === 'answer') return [];
  if (shape === 'insert') return [insertCall(source, answer)];
  if (!source.document) return editCalls(source, answer) ?? [insertCall(source, answer)];
  if (source.incomplete) {
    throw new ToolError('too_large', 'not all of this note could be read, so it cannot be replaced', 'choose some of its blocks instead');
  }
  if (!executor.isCallable('rewrite_doc')) return [insertCall(source, answer)];
  return [{ tool: 'rewrite_doc', args: { id: source.documentId, markdown: asArgument(readableAnswer(answer, source)) } }];
}

/** One call on its way: asked or answered. */
export interface TaskCall extends WantedCall {
  readonly callId: string;
  readonly startTime: number;
  /** The approval that it asked for; undefined until then, and where it failed before. */
  approval: ApprovalRequest | undefined;
  readonly asked: Promise<void>;
  readonly result: Promise<ToolExecuteResult>;
}

/** A person may think, and the editor may hold the caret, for as long as they like. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

/** Starts a call through the executor; it waits at its approval. */
export function startCall(
  executor: ToolExecutor,
  wanted: WantedCall,
  options: {
    readonly callId: string;
    readonly sessionId: string;
    readonly nodeId: string;
    readonly signal: AbortSignal;
    readonly startTime: number;
  },
): TaskCall {
  const { startTime, ...rest } = options;
  let markAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const call: { approval: ApprovalRequest | undefined } = { approval: undefined };
  const result = executor.execute(wanted.tool, wanted.args, {
    ...rest,
    timeoutMs: PATIENCE_MS,
    skipResultApproval: true,
    onEvent: (event) => {
      if (event.type !== 'approval-request') return;
      call.approval = event;
      markAsked();
    },
  });
  return Object.assign(call, wanted, { callId: options.callId, startTime, asked, result });
}

/** The code in front of a failed call's line, `code: what → next`. */
export function failureOf(result: ToolExecuteResult): EventError | undefined {
  if (result.status === 'success' || result.status === 'execution_rejected') return undefined;
  const [, code = result.status, message = '', next = ''] = /^([a-z_]+): ([\s\S]*?)(?: → ([\s\S]*))?$/.exec(result.error ?? '') ?? [];
  return { code, message: preview(message || (result.error ?? result.status), 600), next };
}

/** Nothing to change: the text stands already as asked. */
export const isUnchanged = (error: EventError, call: WantedCall): boolean =>
  error.code === 'no_change' || (error.code === 'no_match' && 'markdown' in call.args);
