import type { AssistantMessage, Message } from '../contract/messages.ts';
import { ANSWER_LEFT_OUT, LEFT_OUT, type NoteSource, type Withheld } from '../contract/provenance.ts';

/** Replaces text of unreadable notes by a line, and what the model wrote after seeing it. `before`: sources above, read only if needed. */
export function releaseMessages(
  messages: readonly Message[],
  before: { readonly sources: readonly NoteSource[] },
  withheld: Withheld,
): readonly Message[] {
  if (withheld.empty) return messages;
  const above = [...before.sources];
  let written: AssistantMessage['withheld'];
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      written = message.withheld;
      return withheld.holds(above, written) ? withoutWords(message) : message;
    }
    if (message.role !== 'tool') return message;
    const hidden = withheld.holds(message.sources) || (repeatsWords(message) && withheld.holds(above, written));
    above.push(...(message.sources ?? []));
    return hidden ? { ...message, content: LEFT_OUT } : message;
  });
}

/** A message of an older version has no sources. */
function repeatsWords({ repeats, sources }: Extract<Message, { role: 'tool' }>): boolean {
  return repeats === true || sources === undefined;
}

/** Its calls stay, since their results would otherwise have no call. */
function withoutWords({ tool_calls, withheld }: AssistantMessage): AssistantMessage {
  const calls = tool_calls?.map(({ extra_content: _thoughts, extra_fields: _signed, ...call }) => {
    return { ...call, function: { name: call.function.name, arguments: '{}' } };
  });
  return {
    role: 'assistant',
    content: ANSWER_LEFT_OUT,
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(withheld === undefined ? {} : { withheld }),
  };
}

export function sourcesIn(messages: readonly Message[]): readonly NoteSource[] {
  return messages.flatMap((message) => (message.role === 'tool' ? (message.sources ?? []) : []));
}
