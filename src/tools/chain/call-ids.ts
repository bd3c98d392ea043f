import type { Message } from '../contract/messages.ts';

/** A unique id: `id` itself if it is free; a number in it (`functions.read:0`) is increased, so that the form stays. */
export function freeCallId(id: string, isTaken: (id: string) => boolean): string {
  const wanted = id === '' ? 'call_1' : id;
  if (!isTaken(wanted)) return wanted;
  const [, head = `${id === '' ? 'call' : id}_`, number = '1'] = /^(.+:)(\d{1,6})$/su.exec(wanted) ?? [];
  let next = Number(number) + 1;
  while (isTaken(`${head}${next}`)) next += 1;
  return `${head}${next}`;
}

export function callIdsIn(message: Message): readonly string[] {
  if (message.role === 'tool') return [message.tool_call_id];
  return message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
}

/** Messages in which no two calls share an id, which servers refuse: an older chat may. The same list if they do not. */
export function withUniqueCallIds(messages: readonly Message[]): readonly Message[] {
  const all = new Set(messages.flatMap(callIdsIn));
  const used = new Set<string>();
  /** For the last message with calls: the new ids of its calls, by their old ids. */
  let sent = new Map<string, string[]>();
  const rename = (id: string): string => {
    const free = used.has(id) ? freeCallId(id, (one) => used.has(one) || all.has(one)) : id;
    used.add(free);
    sent.set(id, [...(sent.get(id) ?? []), free]);
    return free;
  };
  let isChanged = false;
  const made = messages.map((message): Message => {
    if (message.role === 'tool') {
      const id = sent.get(message.tool_call_id)?.shift() ?? message.tool_call_id;
      return id === message.tool_call_id ? message : { ...message, tool_call_id: id };
    }
    if (message.role !== 'assistant' || !message.tool_calls?.length) return message;
    sent = new Map();
    const tool_calls = message.tool_calls.map((call) => ({ ...call, id: rename(call.id) }));
    if (tool_calls.every(({ id }, index) => id === message.tool_calls?.[index]?.id)) return message;
    isChanged = true;
    return { ...message, tool_calls };
  });
  return isChanged ? made : messages;
}
