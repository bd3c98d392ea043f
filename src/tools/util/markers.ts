import { preview } from './graphemes.ts';

/** Strings with a meaning for prompt, formatter and UI: one constant for all of them. */
export const TOOL_LOG_MARKER = '[Tool Execution Log]';
export const SYSTEM_CONTEXT_OPEN = '<SYSTEM-CONTEXT>';
export const SYSTEM_CONTEXT_CLOSE = '</SYSTEM-CONTEXT>';
/** Around everything that a tool gave: data, never instructions. */
export const UNTRUSTED_TAG = 'untrusted-data';
export const ATTACHED_TAG = 'attached-note';

export const SKILL_TAG = 'user-skill';
export const PROJECT_TAG = 'user-project';

/** Characters that nobody sees: a model reads a marker past them. White space is not among them. */
const UNSEEN = String.raw`(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]`;
const GAP = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]*`;
/** The letters of a word, with any invisible characters between them. */
const spelled = (word: string): string => [...word].map((letter) => (letter === '-' ? '[-_\u2010-\u2015]' : letter)).join(`(?:${UNSEEN})*`);

const FRAMES = ['system-context', UNTRUSTED_TAG, ATTACHED_TAG, SKILL_TAG, PROJECT_TAG];
/** Tags of calls and results as text: what a model repeats word for word from a note must not be a call. */
const CALL_TAGS = ['tool-call', 'tool-calls', 'toolcall', 'tool-response', 'tool-code', 'tool-use', 'function-call', 'function-calls'];
/** Words behind `<|`, with which models of other families begin a call. */
const SIGNS = ['tool', 'python_', 'start_action', 'action_start', 'channel', 'dsml'];
/** JSON that is a call where a model writes it: a name, then arguments. */
const CALL_NAME = String.raw`["'](?:name|tool|tool_name|function|function_name|action|recipient_name)["']\s*:\s*["'][^"'\n]{1,80}["']`;
const CALL_ARGUMENTS = String.raw`["'](?:arguments|parameters|args|input|tool_input|action_input)["']\s*:`;

// Each alternative is `head, backslashes, rest`: escaping adds one backslash. No neighbouring parts match the same character (linear time).
const FORGED_STRUCTURE = new RegExp(
  [
    String.raw`(\[)(\\*)(${GAP}${spelled('tool')}${GAP}${spelled('execution')}${GAP}${spelled('log')}${GAP}\])`,
    String.raw`(<)(\\*)(${GAP}(?:\/${GAP})*(?:\w{1,24}[:_])?(?:${[...FRAMES, ...CALL_TAGS].map(spelled).join('|')})(?![a-z0-9]))`,
    String.raw`(<)(\\*)((?:\w{1,24}:|(?:start|end)_)?(?:${spelled('function')}(?:${GAP}=|\s${GAP}${spelled('name')}|_${spelled('call')})|${spelled('invoke')}\s))`,
    String.raw`(<)(\\*)((?:${UNSEEN})*[|｜]{1,2}(?:${SIGNS.map(spelled).join('|')}))`,
    String.raw`(\[)(\\*)(${GAP}${spelled('tool')}_${spelled('call')}s?${GAP}\])`,
    String.raw`(\{)(\\*)(\s*(?:["'](?:type|id|index|call_id|tool_call_id)["']\s*:\s*["'][^"'\n]{0,80}["']\s*,\s*){0,3}${CALL_NAME}\s*,[^{}]{0,200}?${CALL_ARGUMENTS})`,
    String.raw`(<(?:${UNSEEN})*<)(\\*)(${GAP}<${GAP}\[${GAP}(?:${spelled('end')}${GAP}_${GAP})?${spelled('tool')}${GAP}_)`,
    String.raw`(\x60\x60)(\\*)(\x60[ \t]*(?:${spelled('tool')}_(?:${['call', 'code', 'use'].map(spelled).join('|')})|${spelled('function')}_${spelled('call')}))`,
  ].join('|'),
  'giu',
);
const REFERENCE_OPEN = /(?<!\\)(\\*)(\$VAR_REF\{\{)/gu;

/** Makes the markers of our own protocol harmless in text that came from elsewhere; `unescapeMarkers` is its inverse. */
export function escapeMarkers(text: string): string {
  return escapeStructure(text).replaceAll(REFERENCE_OPEN, '\\$1$2');
}

/** Ends a line, a quoted attribute or a span of code, or is not seen. */
const NOT_IN_NAME = /[\s"<>&`\p{Cc}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;
/** Around the values of a request in text. */
const VALUE_MARK = /「(\\*)(?=(?:始|末)(?:ESCAPE)?」)/giu;

/** UTF-16 units of a name: more than any title or link of a file has. */
const MAX_NAME = 1000;

/** A name for a frame or a sentence: cut, on one line, neither markup nor reference. Every external name for a model passes here. */
export function frameName(name: string, most = MAX_NAME): string {
  return escapeMarkers(preview(name, most).replaceAll(NOT_IN_NAME, ' ')).replaceAll(VALUE_MARK, '「$1\\');
}

/** Words of somebody else on one line, without blanks around them; '' for anything but a text. */
export const frameLine = (value: unknown, most: number): string => (typeof value === 'string' ? frameName(value, most).trim() : '');

/** Nobody sees them, or they turn the text around. Line breaks, tabs and joiners of words stay. */
const NOT_IN_TEXT = /(?![\n\t]|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** A text of somebody else outside a frame: nothing in it is a marker or a reference, or cannot be seen. */
export const quotedText = (text: string): string => escapeMarkers(text.replaceAll(NOT_IN_TEXT, ''));

/** Tells if a value that is sent as it is, such as a choice, is one line of visible text without markers. */
export const isPlainValue = (text: string, most = 200): boolean =>
  text.length <= most && !/[\n\t]/u.test(text) && quotedText(text) === text && text.search(VALUE_MARK) < 0;

/** Like escapeMarkers without references: for the model's own words, in which references are harmless. */
export function escapeStructure(text: string): string {
  return text.replaceAll(FORGED_STRUCTURE, (...match) => joinParts(match, (slashes) => `${slashes}\\`));
}

/** Undoes what escapeMarkers did to structure. References are left to resolveReferences, which reads their backslash itself. */
export function unescapeStructure(text: string): string {
  return text.replaceAll(FORGED_STRUCTURE, (...match) => joinParts(match, (slashes) => slashes.slice(1)));
}

function joinParts(match: readonly unknown[], change: (slashes: string) => string): string {
  const parts = match.slice(1, -2).filter((part): part is string => typeof part === 'string');
  const [head = '', slashes = '', rest = ''] = parts;
  return head + change(slashes) + rest;
}

/** `<untrusted-data tool="…">` around a result's text, which has been escaped before. */
export function frameUntrusted(tool: string, escaped: string): string {
  return `<${UNTRUSTED_TAG} tool="${tool}">\n${escaped}\n</${UNTRUSTED_TAG}>`;
}
