import { escapeMarkers } from '../tools/markers.ts';
import type { Message } from '../tools/messages.ts';
import type { ChatContext, Node, Payload } from './types.ts';

export interface ContextOptions {
  /** `full` sends the saved tool messages where a turn has them; `compressed` its hint and natural flow (seed 0). */
  readonly toolHistory: 'compressed' | 'full';
}

const attribute = (text: string): string => text.replaceAll(/["<>&\r\n]/g, ' ');

/** Notes that the user attached, framed as data: what stands in them is never an instruction. */
export function renderContexts(contexts: readonly ChatContext[]): string {
  return contexts
    .map((context) => {
      const body = escapeMarkers(context.text).replaceAll(/<(\/?attached-note)/gi, '<\\$1');
      return `<attached-note kind="${context.kind}" id="${attribute(context.id)}" title="${attribute(context.title)}">\n${body}\n</attached-note>`;
    })
    .join('\n\n');
}

function currentPayload(node: Node): Payload | undefined {
  return node.versions[node.currentVersionId];
}

function userMessage(node: Node, payload: Payload): Message {
  const attached = renderContexts(node.context ?? []);
  const text = payload.message.content;
  return { role: 'user', content: attached ? `${attached}\n\n${text}` : text };
}

function assistantMessages(payload: Payload, options: ContextOptions): readonly Message[] {
  const chain = payload.toolChainMessages ?? [];
  if (options.toolHistory === 'full' && chain.length > 0) return chain;
  // Reasoning is not sent back: no API wants it, and it would be read as something that was said.
  return payload.message.content === '' ? [] : [{ role: 'assistant', content: payload.message.content }];
}

/**
 * What the model sees of a thread (root to leaf): nothing before the last separator, no hidden nodes, no answers that
 * stayed empty. Pure: the same thread gives the same bytes, so that prompt caches hit.
 */
export function buildModelContext(thread: readonly Node[], options: ContextOptions): readonly Message[] {
  const cut = thread.findLastIndex((node) => node.role === 'separator');
  return thread.slice(cut + 1).flatMap((node): readonly Message[] => {
    const payload = currentPayload(node);
    if (node.hidden || !payload) return [];
    return node.role === 'user' ? [userMessage(node, payload)] : assistantMessages(payload, options);
  });
}
