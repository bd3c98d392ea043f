import { estimateTokenCount } from 'tokenx';
import { preview } from './graphemes.ts';
import { UNTRUSTED_TAG } from './markers.ts';
import type { Message, ToolDefinition } from './messages.ts';
import type { ToolCallHistoryEntry } from './tool-chain-types.ts';

/** Tokens that the API adds around a message, as the documentation of chat formats estimates it. */
const PER_MESSAGE = 4;

/** Keeps requests within a number of estimated tokens by putting older tool messages back to their variables. */
export class ContextBudget {
  /** Calls whose message stays compressed: the beginning of the conversation stays the same text (prompt cache). */
  private readonly compressed = new Set<string>();
  private readonly estimates = new WeakMap<object, number>();

  /**
   * The messages to send: tool messages are compressed oldest first until `limit` is met or nothing is left to compress.
   * The given list is not changed.
   */
  fit(
    messages: readonly Message[],
    history: readonly ToolCallHistoryEntry[],
    tools: readonly ToolDefinition[],
    limit: number | undefined,
  ): readonly Message[] {
    const byId = new Map(history.map((entry) => [entry.callId, entry]));
    let fitted = messages.map((message) => this.applyKnown(message, byId));
    if (limit === undefined) return fitted;
    let total = this.estimate(fitted, tools);
    for (const message of messages) {
      if (total <= limit) break;
      if (message.role !== 'tool' || this.compressed.has(message.tool_call_id)) continue;
      const shorter = compressMessage(message, byId.get(message.tool_call_id));
      const saved = this.tokensOf(message) - this.tokensOf(shorter);
      if (saved <= 0) continue;
      this.compressed.add(message.tool_call_id);
      total -= saved;
      fitted = fitted.map((entry) => (entry === message ? shorter : entry));
    }
    return fitted;
  }

  estimate(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
    const definitions = tools.length === 0 ? 0 : this.tokensOf(tools);
    return messages.reduce((sum, message) => sum + this.tokensOf(message), definitions);
  }

  private applyKnown(message: Message, byId: ReadonlyMap<string, ToolCallHistoryEntry>): Message {
    if (message.role !== 'tool' || !this.compressed.has(message.tool_call_id)) return message;
    return compressMessage(message, byId.get(message.tool_call_id));
  }

  private tokensOf(part: object): number {
    const known = this.estimates.get(part);
    if (known !== undefined) return known;
    const tokens = estimateTokenCount(JSON.stringify(part)) + PER_MESSAGE;
    this.estimates.set(part, tokens);
    return tokens;
  }
}

function compressMessage(message: Extract<Message, { role: 'tool' }>, entry: ToolCallHistoryEntry | undefined): Message {
  const name = entry?.result.cacheVarResult;
  const where = name === undefined ? 'call the tool again if it is needed' : `next: ReadVar(name="${name}")`;
  const start = preview(message.content, 200);
  const frame = message.content.startsWith(`<${UNTRUSTED_TAG}`) ? `\n</${UNTRUSTED_TAG}>` : '';
  return { ...message, content: `${start}${frame}\n[shortened to save room; ${where}]` };
}
