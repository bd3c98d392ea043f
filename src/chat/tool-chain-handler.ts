import type { EventError } from '../tools/errors.ts';
import type { EventEmitter } from '../tools/event-stream.ts';
import type { ToolExecutor } from '../tools/executor.ts';
import type { ChatOption, Complete, CompletionResult } from '../tools/messages.ts';
import type { ModelRequests } from '../tools/model-requests.ts';
import type { Clock } from '../tools/ports.ts';
import { executeToolChain, type ToolChainResult } from '../tools/tool-chain.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { ExtendedCompletionResult } from './lifecycle.ts';
import { roundsOf, type TurnProgress, toRecord } from './turn-progress.ts';

export interface ToolChainParams {
  readonly executor: ToolExecutor;
  /** They made the first request. */
  readonly requests: ModelRequests;
  readonly complete: Complete;
  readonly chatOption: ChatOption;
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
  readonly settings: ChatSettings;
  readonly initialResponse: CompletionResult;
  readonly sessionId: string;
  readonly turnId: string;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly progress: TurnProgress;
  /** Called when a round's calls are done, before the model is asked again. */
  readonly onRound: () => void;
}

/** seed 2 §4: runs the chain that a first answer with tool calls begins. Never rejects. */
export async function handleToolChain(params: ToolChainParams): Promise<ExtendedCompletionResult> {
  const { executor, requests, settings, initialResponse, sessionId, turnId, nodeId, clock, signal, emitter, complete, chatOption } = params;
  const result = await executeToolChain(executor, initialResponse, {
    contextMessages: requests.context,
    requests,
    complete,
    sessionId,
    turnId,
    nodeId,
    clock,
    signal,
    emitter,
    maxRounds: settings.toolCallMaxRounds,
    chatOption,
    checkToolResults: true,
    callbacks: {
      onBeforeSendToLLM: () => {
        params.onRound();
        return undefined;
      },
    },
  });
  return toCompletion(result, params);
}

function toCompletion(result: ToolChainResult, { progress, settings, initialResponse }: ToolChainParams): ExtendedCompletionResult {
  const { toolChainContent, responseContent, toolCallHistory, stats, status, error, usage } = result;
  const failed = status === 'error' || status === 'timeout';
  const timeout: EventError = {
    code: 'timeout',
    message: 'the turn took too long and was ended',
    next: 'what was done stands above; ask again to go on',
  };
  const reason = error ?? (status === 'timeout' ? timeout : undefined);
  return {
    content: toolChainContent + responseContent,
    hintSize: toolChainContent.length,
    toolChainResult: {
      toolCallHistory: toolCallHistory.map(toRecord),
      rounds: roundsOf(progress.answer.segments),
      stats,
      status,
      ...(reason ? { error: reason } : {}),
    },
    status: failed ? 'error' : status === 'aborted' ? 'stopped' : 'done',
    writes: toolCallHistory.flatMap((entry) => entry.result.written?.blockIds ?? []),
    ...(settings.toolHistory === 'full' ? { toolChainMessages: result.messages.toolChain } : {}),
    ...(initialResponse.time
      ? { time: { firstToken: initialResponse.time.firstToken, total: initialResponse.time.total + stats.totalTime } }
      : {}),
    ...(usage ? { usage } : {}),
    ...(reason ? { error: reason } : {}),
  };
}
