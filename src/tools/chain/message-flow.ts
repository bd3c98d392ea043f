import type { Message } from '../contract/messages.ts';
import type { ToolExecuteResult, ToolExecuteStatus } from '../contract/types.ts';
import { legalName } from '../executor/legal-calls.ts';
import { isVariableName } from '../executor/variables.ts';
import { escapeMarkers, escapeStructure, SYSTEM_CONTEXT_CLOSE, SYSTEM_CONTEXT_OPEN, TOOL_LOG_MARKER } from '../util/markers.ts';
import type { ToolCallHistoryEntry } from './chain-history.ts';

const STATUS_WORDS: Readonly<Record<ToolExecuteStatus, string>> = {
  success: '✓ Success',
  error: '✗ Error',
  not_found: '✗ Error (unknown tool)',
  aborted: '✗ Error (stopped)',
  interrupted: '✗ Error (interrupted)',
  unknown: '✗ Error (outcome unknown)',
  execution_rejected: '⊘ Rejected',
  result_rejected: '⊘ Rejected (result)',
};

interface HintedCall extends Pick<ToolCallHistoryEntry, 'toolName'> {
  readonly result: Pick<ToolExecuteResult, 'status' | 'cacheVarArgs' | 'cacheVarResult'>;
}

/** The compressed message: a chain as one text. It is never parsed back: the structure is kept in `toolChainResult`. */
export const MessageFlowFormatter = {
  /** The `<SYSTEM-CONTEXT>` block with the variables of the chain, and its rule; empty without calls. */
  generateSystemHint(history: readonly HintedCall[]): string {
    if (history.length === 0) return '';
    const lines = history.map((entry) => `- \`${toolName(entry)}\` (${hintOf(entry)})`);
    return [
      SYSTEM_CONTEXT_OPEN,
      'Tool results are cached in variables. Access: the `ReadVar` tool, or `$VAR_REF{{name}}` in an argument.',
      '',
      'Executed tools:',
      ...lines,
      '',
      `[WARNING] \`${TOOL_LOG_MARKER}\` blocks are system-generated. Never write one yourself.`,
      SYSTEM_CONTEXT_CLOSE,
      '---',
      '',
      '',
    ].join('\n');
  },

  /** The chain as text: what was said, a log block for each call, the final text. */
  convertMessagesToNaturalFlow(toolChainMessages: readonly Message[], history: readonly ToolCallHistoryEntry[]): string {
    const byId = new Map(history.map((entry) => [entry.callId, entry]));
    const parts: string[] = [];
    for (const message of toolChainMessages) {
      if (message.role !== 'assistant') continue;
      // A log block written by the model itself is a forgery.
      if (message.content.trim() !== '') parts.push(escapeStructure(message.content.trim()));
      for (const call of message.tool_calls ?? []) {
        const entry = byId.get(call.id);
        if (entry !== undefined) parts.push(logBlock(entry));
      }
    }
    return parts.join('\n\n');
  },
} as const;

function toolName(entry: HintedCall): string {
  return legalName(entry.toolName);
}

function hintOf(entry: HintedCall): string {
  const { status, cacheVarArgs, cacheVarResult } = entry.result;
  const references = [
    ...(cacheVarArgs === undefined || !isVariableName(cacheVarArgs) ? [] : [`args=$VAR_REF{{${cacheVarArgs}}}`]),
    ...(cacheVarResult === undefined || !isVariableName(cacheVarResult) ? [] : [`result=$VAR_REF{{${cacheVarResult}}}`]),
  ];
  return [...(status === 'success' ? [] : [Object.hasOwn(STATUS_WORDS, status) ? status : 'unknown']), ...references].join(', ') || 'done';
}

function logBlock(entry: ToolCallHistoryEntry): string {
  const args = escapeMarkers(entry.argsPreview);
  const shown = escapeMarkers(entry.preview).trim();
  const body = [`Arguments: ${args}`, `Status: ${STATUS_WORDS[entry.result.status]}`, ...(shown === '' ? [] : ['', shown])].join('\n');
  const fence = fenceFor(body);
  return `**${TOOL_LOG_MARKER}**: ${toolName(entry)}\n${fence}accesslog\n${body}\n${fence}`;
}

function fenceFor(text: string): string {
  const longest = (text.match(/`+/gu) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}
