export interface SystemPromptParts {
  /** Local calendar day, YYYY-MM-DD: never the time, or every request would miss the provider's prompt cache. */
  readonly today: string;
  readonly timeZone: string;
  /** The user's own prompt; may be empty. */
  readonly userPrompt: string;
  /** ToolExecutor.toolRules(); null when no tool is enabled. */
  readonly toolRules: string | null;
  /** Words that the user wants kept out of what is sent; a rule for the model, not a filter. */
  readonly privacyFields?: readonly string[];
}

const CITATION_RULE = [
  '## Citations',
  'When you say something that comes from a note, cite its block right after the statement as ((id "anchor")): the id as a tool result showed it,',
  'the anchor a few words of that block. Cite only ids that you have seen in tool results or attached notes of this chat; never make one up.',
  'If the notes do not say it, say so.',
].join('\n');

/** Byte-stable across a day for the same settings and tools. */
export function buildSystemPrompt(parts: SystemPromptParts): string {
  const privacy = parts.privacyFields?.length
    ? `<PRIVACY_RULE>\nDo not repeat or ask for: ${parts.privacyFields.join(', ')}.\n</PRIVACY_RULE>`
    : '';
  const tools = parts.toolRules === null ? [] : [parts.toolRules.trim(), CITATION_RULE];
  return [`Today is ${parts.today} (${parts.timeZone}).`, parts.userPrompt.trim(), privacy, ...tools]
    .filter((part) => part !== '')
    .join('\n\n');
}
