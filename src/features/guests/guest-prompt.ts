import type { Message, MessageImage } from '../../tools/contract/messages.ts';

const SPEAKER = { system: 'Instructions', user: 'The user', assistant: 'You', tool: 'A tool' } as const;

const IN_BETWEEN = String.raw`[^\p{L}\p{N}\n]*`;
const letters = (words: string): string => [...words].join(String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}]*`);
/** A heading of another speaker, however it is written: with spaces, marks or invisible characters around and in it. */
const HEADING = new RegExp(`^(?=${IN_BETWEEN}#${IN_BETWEEN}(?:${Object.values(SPEAKER).map(letters).join('|')})${IN_BETWEEN}$)`, 'gimu');

/** A message that quotes another speaker's heading would seem to be one. */
const withoutHeadings = (text: string): string => text.replaceAll(HEADING, '\\');

function textOf(message: Message): string {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const called = calls.map(({ function: { name, arguments: args } }) => `(called ${name} ${args})`);
  return [withoutHeadings(message.content), ...called].filter((part) => part !== '').join('\n');
}

/**
 * A whole conversation as one prompt: each turn is a session of its own, so what was edited, left out or branched off in the chat is so for
 * the agent as well.
 */
export function guestPrompt(messages: readonly Message[]): string {
  const [only, ...more] = messages;
  if (only?.role === 'user' && more.length === 0) return only.content;
  const parts = messages.map((message) => `## ${SPEAKER[message.role]}\n\n${textOf(message)}`);
  return `${parts.join('\n\n')}\n\nAnswer what the user said last. Of tools use those of the server "marginalia" alone.`;
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/su;

/** The pictures of the last question. */
export function guestPictures(messages: readonly Message[]): readonly { readonly mime: string; readonly base64: string }[] {
  const asked = messages.findLast(({ role }) => role === 'user');
  const images: readonly MessageImage[] = asked?.role === 'user' ? (asked.images ?? []) : [];
  return images.flatMap(({ url }) => {
    const [, mime = '', base64 = ''] = DATA_URL.exec(url) ?? [];
    return base64 === '' ? [] : [{ mime, base64 }];
  });
}
