import { type EventError, isErrorCode } from '../../tools/contract/errors.ts';
import type { SavedToolChain, ToolCallRecord } from './types.ts';

/** A saved error. A code of a newer version becomes `other`, and its message explains it. undefined for anything else. */
function readSavedError(value: unknown): EventError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message, next }: { code?: unknown; message?: unknown; next?: unknown } = value;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code: isErrorCode(code) ? code : 'other', message, next: typeof next === 'string' ? next : '' };
}

/** A call's record with its error in the current form; itself if it has that already. */
export function upgradeRecord(record: ToolCallRecord): ToolCallRecord {
  const { error: saved, ...result } = record.result;
  if (saved === undefined || isUpgraded(saved)) return record;
  const error = readSavedError(saved);
  return { ...record, result: error === undefined ? result : { ...result, error } };
}

export function upgradeChain(chain: SavedToolChain): SavedToolChain {
  const toolCallHistory = chain.toolCallHistory.map(upgradeRecord);
  const { error: saved, ...rest } = chain;
  const same = toolCallHistory.every((record, index) => record === chain.toolCallHistory[index]);
  if (same && (saved === undefined || isUpgraded(saved))) return chain;
  const error = readSavedError(saved);
  return { ...rest, toolCallHistory, error };
}

function isUpgraded(saved: unknown): boolean {
  if (typeof saved !== 'object' || saved === null) return false;
  const { code, message, next }: { code?: unknown; message?: unknown; next?: unknown } = saved;
  return isErrorCode(code) && typeof message === 'string' && typeof next === 'string';
}
