import type { Message, ToolDefinition } from '../contract/messages.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import { type CallVariables, shortenMessage } from './context-shortening.ts';

/** Tokens that the API adds around a message, as documented for chat formats. */
const PER_MESSAGE = 4;

/** Keeps requests within a number of estimated tokens by replacing older calls and results by their variables. */
export class ContextBudget {
  /** The shortened form of a message from then on: the beginning of the conversation must stay the same text (prompt cache). */
  private readonly shortened = new WeakMap<Message, Message>();
  private readonly shorter = new WeakSet<Message>();

  /** Shortens arguments of calls and tool messages, oldest first, until `limit` is met or nothing is left; the list is not changed. */
  fit(
    messages: readonly Message[],
    history: readonly CallVariables[],
    tools: readonly ToolDefinition[],
    limit: number | undefined,
  ): readonly Message[] {
    const fitted = messages.map((message) => this.shortened.get(message) ?? message);
    if (limit === undefined) return fitted;
    const byId = new Map(history.map((entry) => [entry.callId, entry]));
    let total = this.estimate(fitted, tools);
    for (const [index, message] of messages.entries()) {
      if (total <= limit) break;
      if (this.shortened.has(message)) continue;
      const shorter = shortenMessage(message, byId);
      const saved = estimateSent(message) - estimateSent(shorter);
      if (saved <= 0) continue;
      this.shortened.set(message, shorter);
      this.shorter.add(shorter);
      fitted[index] = shorter;
      total -= saved;
    }
    return fitted;
  }

  shortResults(fitted: readonly Message[]): number {
    return fitted.filter((message) => message.role === 'tool' && this.shorter.has(message)).length;
  }

  estimate(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
    const definitions = tools.length === 0 ? 0 : estimateSent(tools);
    return messages.reduce((sum, message) => sum + estimateSent(message), definitions);
  }
}

/** The maximum cost of a picture of the attached size (2048 pixels a side), by the providers' own tables. */
export const IMAGE_TOKENS = 1600;

const estimates = new WeakMap<object, number>();

/** Tokens of a message, or of a list of tools, as sent. Estimated once per object. */
export function estimateSent(part: object): number {
  const known = estimates.get(part);
  if (known !== undefined) return known;
  const images = 'images' in part && Array.isArray(part.images) ? part.images.length : 0;
  const text = JSON.stringify(part, onlySent);
  const tokens = (Array.isArray(part) ? tokensOfTools(text) : estimateTokens(text)) + PER_MESSAGE + images * IMAGE_TOKENS;
  estimates.set(part, tokens);
  return tokens;
}

let lastTools = { text: '', tokens: 0 };

/** Every turn of every chat sends the same definitions, and estimating them takes milliseconds. */
function tokensOfTools(text: string): number {
  if (text !== lastTools.text) lastTools = { text, tokens: estimateTokens(text) };
  return lastTools.tokens;
}

const KEPT_HERE: ReadonlySet<string> = new Set(['withheld', 'sources', 'repeats', 'outcome', 'invalid', 'images']);

const KEPT_OF_TOOLS: ReadonlySet<string> = new Set(['group', 'command']);

/** A JSON replacer that keeps only the sent fields of a message or a definition. */
function onlySent(this: unknown, key: string, value: unknown): unknown {
  const isKept = (KEPT_HERE.has(key) && isMessage(this)) || (KEPT_OF_TOOLS.has(key) && isDefinition(this));
  return isKept ? undefined : value;
}

const isDefinition = (value: unknown): boolean => typeof value === 'object' && value !== null && 'type' in value && 'function' in value;

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}
