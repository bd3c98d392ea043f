// Calls as models write them in text, by hand: what the plugin's own code writes proves nothing about what it reads.

/** How the calls of a scripted model are written. */
export type Written = 'vcp' | 'json';

const vcp = (name: string, args: Readonly<Record<string, unknown>>): string => {
  const fields = Object.entries({ tool_name: name, ...args }).map(
    ([key, value]) => `${key}:「始」${typeof value === 'string' ? value : JSON.stringify(value)}「末」`,
  );
  return `<<<[TOOL_REQUEST]>>>\n${fields.join('\n')}\n<<<[END_TOOL_REQUEST]>>>`;
};

const json = (name: string, args: Readonly<Record<string, unknown>>): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

export const writtenCall = (written: Written, name: string, args: Readonly<Record<string, unknown>>): string =>
  (written === 'vcp' ? vcp : json)(name, args);

/** Every mark of either form, and its beginning. */
export const MARKS = /<<<|TOOL_RE|「始|「末|tool_call/;
