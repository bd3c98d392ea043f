import { ToolError } from '../../tools/contract/errors.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import { WEB_FETCH } from '../../tools/groups/common/beyond-notes.ts';
import { defineTool, numberArgument, textArgument } from '../../tools/util/define.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { floorGrapheme } from '../../tools/util/graphemes.ts';
import { nextCall } from '../../tools/util/line-parts.ts';

/** A page as text, or the address on another site to which it redirects. */
export type WebAnswer =
  | { readonly url: string; readonly title: string /** Markdown. */; readonly text: string }
  | { readonly elsewhere: string };

/** The public web. Only a program that sees what a name resolves to can offer it. */
export interface WebPages {
  /** The address as it would be requested. Requests nothing; throws ToolError `bad_address` or `address_refused`. */
  check(address: string): string;
  /** Rejects with ToolError: an address, site or text that cannot be read, `too_large`, `timeout` or `aborted`. */
  read(address: string, signal: AbortSignal): Promise<WebAnswer>;
}

const DEFAULT_TOKENS = 3000;
const MAX_TOKENS = 20_000;
const MAX_ADDRESS = 2000;
const MAX_KEPT = 400_000;

export function createWebFetch(pages: WebPages): Tool {
  const addressOf = (args: ToolArguments): string => {
    const address = textArgument(args, 'url')?.trim() ?? '';
    if (address.length > MAX_ADDRESS)
      throw new ToolError('too_large', `the address has ${address.length} characters`, `give one of at most ${MAX_ADDRESS}`);
    return pages.check(address);
  };
  return defineTool({
    name: WEB_FETCH.name,
    description: 'Reads a public web page, PDF or text file as Markdown. Not for private or local addresses.',
    properties: {
      url: { type: 'string', description: 'https://…' },
      start: { type: 'integer', minimum: 0, description: 'character to start at (default 0)' },
      max_tokens: { type: 'integer', minimum: 100, maximum: MAX_TOKENS, description: `default ${DEFAULT_TOKENS}` },
    },
    required: ['url'],
    permission: { executionPolicy: 'ask-once', resultApprovalPolicy: 'never' },
    effect: 'outgoing',
    outgoing: (args) => ({ url: addressOf(args), body: '' }),
    approvalScope: (args) => new URL(addressOf(args)).host,
    truncateForLLM: (text, args) => firstTokens(text, numberArgument(args, 'max_tokens', DEFAULT_TOKENS)),
    compressResult: ({ data }) => (typeof data === 'string' ? data.split('\n', 2).join(' ') : ''),
    execute: async (args, { signal, outgoing }) => {
      if (outgoing === undefined)
        throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
      return pageResult(await pages.read(outgoing.url, signal), args);
    },
  });
}

function pageResult(answer: WebAnswer, args: ToolArguments): ToolExecuteResult {
  const start = numberArgument(args, 'start', 0);
  if ('elsewhere' in answer) {
    const data = `This address leads to another site: ${answer.elsewhere}\n${nextCall(WEB_FETCH.name, args, { url: answer.elsewhere })}`;
    return { status: 'success', data };
  }
  const { url, title, text } = answer;
  if (start > 0 && start >= text.length)
    throw new ToolError('past_end', `the page has ${text.length} characters`, `start before ${text.length}`);
  const from = floorGrapheme(text, start);
  const to = floorGrapheme(text, from + MAX_KEPT);
  const part = text.slice(from, to);
  const head = [...(title === '' ? [] : [`# ${title}`]), `${url} (${text.length} characters${from > 0 ? `, from ${from}` : ''})`];
  const rest = to < text.length ? [nextCall(WEB_FETCH.name, args, { start: to })] : [];
  return { status: 'success', data: [...head, '', part === '' ? '(no text)' : part, ...rest].join('\n') };
}

/** The beginning of a text, at a line's end where one is near. */
function firstTokens(text: string, tokens: number): string {
  // No token is longer than this on average; the rest need not be counted.
  const head = text.slice(0, tokens * 12);
  const count = estimateTokens(head);
  if (count <= tokens) return head.length === text.length ? text : head;
  const end = floorGrapheme(head, Math.floor((head.length * tokens) / count));
  const line = head.lastIndexOf('\n', end) + 1;
  return head.slice(0, line > end * 0.8 ? line : end);
}
