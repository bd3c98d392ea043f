import { expect } from 'vitest';
import type { ParsedToolRequest, ToolCallingProtocol } from '../contract.ts';
import { cutsOf, shownText, streamed } from './cuts.ts';

/** An answer and the expected result of parsing it. */
export interface Row {
  /** What it shows. */
  readonly input: string;
  readonly text: string;
  /** `name {args}` of each request, `!` before one that is invalid. */
  readonly requests: readonly string[];
  /** What people see, if it is not all of the text. */
  readonly shown?: string;
  readonly warning?: RegExp;
  readonly reason?: RegExp;
}

function describeRequest({ toolName, args, invalid }: ParsedToolRequest): string {
  return `${invalid === undefined ? '' : '!'}${toolName} ${JSON.stringify(args)}`;
}

/** The finished text gives these requests, and so does the stream wherever it is split. */
export function expectRow(protocol: ToolCallingProtocol, { text, requests, shown = text, warning, reason }: Row): void {
  const found = protocol.parseToolRequests(text);
  const [first] = found;
  expect(found.map(describeRequest)).toEqual(requests);
  for (const { span, rawBlock } of found) expect(text.slice(span.start, span.end)).toBe(rawBlock);
  expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(found.length);
  if (warning === undefined) expect(found.flatMap(({ warnings }) => warnings)).toEqual([]);
  else expect(first?.warnings.join()).toMatch(warning);
  if (reason !== undefined) expect(first?.invalid).toMatch(reason);
  const parts = streamed(protocol, [text]);
  expect(parts.flatMap((part) => (part.type === 'request' ? [part.request] : []))).toEqual(found);
  expect(shownText(parts)).toBe(shown);
  for (const pieces of cutsOf(text)) expect(streamed(protocol, pieces)).toEqual(parts);
}
