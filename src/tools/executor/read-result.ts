import { describeThrown, type EventError, isErrorCode } from '../contract/errors.ts';
import { isFoundList } from '../contract/found-notes.ts';
import { isSourceList } from '../contract/provenance.ts';
import {
  EXECUTE_STATUSES,
  type ToolEffect,
  type ToolExecuteResult,
  type ToolExecuteStatus,
  type WrittenBlocks,
} from '../contract/types.ts';
import { fieldOf } from '../util/plain-value.ts';
import { noResult } from './results.ts';

type Fields = Partial<Record<keyof ToolExecuteResult, unknown>>;

/** Normalizes a result of external code: each field is read once, a bad one counts as missing; `written` always stays. */
export function readResult(value: unknown, effect: ToolEffect): ToolExecuteResult {
  try {
    return readParts(value, effect);
  } catch {
    // Even a list may be a revoked proxy.
    return noResult(effect);
  }
}

function readParts(value: unknown, effect: ToolEffect): ToolExecuteResult {
  const fields = readFields(value);
  const written = readWritten(fields.written);
  const kept = written === undefined ? {} : { written };
  const status = EXECUTE_STATUSES.find((known) => known === fields.status);
  if (status === undefined) return { ...noResult(effect), ...kept };
  const { notebooks, blockIds, found, sources, rejectReason, formattedText } = fields;
  return {
    status,
    data: fields.data,
    ...errorField(status, fields),
    rejectReason: typeof rejectReason === 'string' ? rejectReason : undefined,
    formattedText: typeof formattedText === 'string' ? formattedText : undefined,
    notebooks: Array.isArray(notebooks) ? texts(notebooks) : undefined,
    blockIds: Array.isArray(blockIds) ? texts(blockIds) : undefined,
    found: isFoundList(found) ? found : undefined,
    mixed: fields.mixed === true ? true : undefined,
    fromIndex: fields.fromIndex === true ? true : undefined,
    isPrivate: typeof fields.isPrivate === 'boolean' ? fields.isPrivate : undefined,
    sources: isSourceList(sources) ? sources : undefined,
    repeats: fields.repeats === true ? true : undefined,
    trusted: fields.trusted === true ? true : undefined,
    ...kept,
  };
}

const NAMES: readonly (keyof ToolExecuteResult)[] = [
  'status',
  'data',
  'error',
  'rejectReason',
  'formattedText',
  'finalText',
  'written',
  'notebooks',
  'mixed',
  'fromIndex',
  'isPrivate',
  'sources',
  'repeats',
  'blockIds',
  'found',
  'trusted',
];

function readFields(value: unknown): Fields {
  return Object.fromEntries(NAMES.map((name) => [name, fieldOf(value, name)]));
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((item) => typeof item === 'string');
}

export function readWritten(value: unknown): WrittenBlocks | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const blockIds = fieldOf(value, 'blockIds');
  const documentId = fieldOf(value, 'documentId');
  const title = fieldOf(value, 'title');
  return {
    blockIds: Array.isArray(blockIds) ? texts(blockIds) : [],
    documentId: typeof documentId === 'string' ? documentId : '',
    title: typeof title === 'string' ? title : undefined,
    undoable: fieldOf(value, 'undoable') === true,
    ...readLeftOut(value),
  };
}

export function readLeftOut(value: object): Pick<WrittenBlocks, 'leftOut' | 'planned' | 'leftOutWords'> {
  const leftOut = fieldOf(value, 'leftOut');
  const planned = fieldOf(value, 'planned');
  const words = fieldOf(value, 'leftOutWords');
  if (typeof leftOut !== 'number' || leftOut <= 0) return {};
  return {
    leftOut,
    planned: typeof planned === 'number' ? planned : undefined,
    leftOutWords: Array.isArray(words) ? texts(words) : undefined,
  };
}

const NEXT = 'try another way, or tell the user what failed';

/** A failure always has a message. */
function errorField(status: ToolExecuteStatus, { error, finalText, formattedText, data }: Fields): { readonly error?: EventError } {
  if (status === 'success' || status === 'execution_rejected' || status === 'result_rejected') return {};
  const read = readError(error);
  if (read !== undefined) return { error: read };
  const said = [finalText, formattedText, data].find((text) => typeof text === 'string' && text.trim() !== '');
  const message = typeof said === 'string' ? said : 'the tool failed without saying why';
  return { error: { code: status === 'unknown' ? 'outcome_unknown' : 'tool_failed', message, next: NEXT } };
}

/** `{code, message, next}`, an Error, a sentence: whatever a tool returns as its error. */
function readError(error: unknown): EventError | undefined {
  const message = describeThrown(error);
  if (message.trim() === '') return undefined;
  const isObject = typeof error === 'object' && error !== null;
  const code = isObject ? fieldOf(error, 'code') : undefined;
  const next = isObject ? fieldOf(error, 'next') : undefined;
  return {
    code: isErrorCode(code) ? code : 'tool_failed',
    message: typeof code === 'string' && !isErrorCode(code) ? `${code}: ${message}` : message,
    next: typeof next === 'string' && next !== '' ? next : NEXT,
  };
}
