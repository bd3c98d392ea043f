import { expect } from 'vitest';
import { executeToolChain, type ToolChainOptions } from '../chain/tool-chain.ts';
import type { ToolChainEvent } from '../contract/events.ts';
import type { CompletionResult } from '../contract/messages.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import { unmatchedEvents } from './event-pairs.ts';
import { answer, protocolErrors, scripted, testClock, toolCall } from './support.ts';

/** A first answer that calls the tool `t`. */
export const FIRST = answer('Let me look.', [toolCall('c1', 't')]);

function chainOptions(parts: Partial<ToolChainOptions> = {}): ToolChainOptions {
  const contextMessages = [{ role: 'user', content: 'question' }] as const;
  return {
    contextMessages,
    complete: scripted([answer('Done.')]).complete,
    sessionId: 's',
    turnId: 'u',
    nodeId: 'n',
    clock: testClock(),
    ...parts,
  };
}

/** Runs a chain with defaults for missing options; every run must keep the protocol and the event pairs. */
export async function runChecked(executor: ToolExecutor, first: CompletionResult | undefined, parts: Partial<ToolChainOptions> = {}) {
  const events: ToolChainEvent[] = [];
  const result = await executeToolChain(executor, first, chainOptions({ onEvent: (event) => events.push(event), ...parts }));
  expect(protocolErrors(result.messages.complete)).toEqual([]);
  expect(unmatchedEvents(events)).toEqual([]);
  return { result, events };
}
