import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody } from '../router.ts';
import type { DocumentEntry } from '../store/documents.ts';
import { ID_PATTERN } from '../tree/node.ts';

/** A parameter is missing or has another type: many handlers of the kernel then answer `{code:0, data:null}`. */
export class MissingParameter extends Error {}

export function text(body: RequestBody, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw new MissingParameter(key);
  return value;
}

/** A string parameter that may be left out; `''` then. Another type is as good as missing. */
export function optionalText(body: RequestBody, key: string): string {
  return body[key] === undefined || body[key] === null ? '' : text(body, key);
}

/** For handlers that say so when a field is missing. */
export function requiredText(body: RequestBody, key: string): string {
  const value = body[key];
  if (value === undefined || value === null || value === '') throw new ApiError(-1, `Field [${key}] is required`);
  if (typeof value !== 'string') throw new ApiError(-1, `Field [${key}] should be of type [string]`);
  return value;
}

export function textList(body: RequestBody, key: string): string[] {
  const value = body[key];
  if (!Array.isArray(value) || !value.every((v) => typeof v === 'string')) throw new MissingParameter(key);
  return value;
}

export function nodeId(body: RequestBody, key: string): string {
  const id = text(body, key);
  if (!ID_PATTERN.test(id)) throw new ApiError(-1, 'invalid ID argument');
  return id;
}

/** An id that may be missing or empty. */
export function optionalId(body: RequestBody, key: string): string {
  const id = optionalText(body, key);
  if (id !== '' && !ID_PATTERN.test(id)) throw new ApiError(-1, 'invalid ID argument');
  return id;
}

/** The document of an id (or of a block's id), or the kernel's "tree not found". */
export function documentOf(kernel: Kernel, id: string, data: unknown = null): DocumentEntry {
  const rootId = kernel.documents.block(id)?.rootId;
  const entry = rootId === undefined ? undefined : kernel.documents.entry(rootId);
  if (!entry) throw new ApiError(-1, 'tree not found', data);
  return entry;
}
