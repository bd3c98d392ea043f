export interface SystemPromptParts {
  /** Local calendar day, YYYY-MM-DD, without the time: otherwise every request would miss the provider's prompt cache. */
  readonly today: string;
  readonly timeZone: string;
  readonly userPrompt: string;
  /** ToolExecutor.toolRules(); null when no tool is enabled. */
  readonly toolRules: string | null;
  /** The rules are short, and already explain citations. */
  readonly isLean?: boolean | undefined;
  /** The label of each masked field, '' if it has none; absent: nothing is masked. */
  readonly privacyFields?: readonly string[] | undefined;
}

const CITATION_RULE = [
  '## Citations',
  'When you say something that comes from a note, cite its block right after the statement as ((id "anchor")): the id as a tool result showed it,',
  'the anchor a few words of that block. Cite only ids that you have seen in tool results or attached notes of this chat; never make one up.',
  'If the notes do not say it, say so.',
].join('\n');

/** Explains the placeholders of masked values without containing one, since it would be masked. */
function privacyRule(labels: readonly string[]): string {
  const named = labels.flatMap((label, index) => (label === '' ? [] : [`field ${index + 1} is ${label}`]));
  return [
    '<PRIVACY_RULE>',
    'Private values of this conversation were replaced by placeholders: the word MASK, the number of a field, V, the number of a value, X, written as one word.',
    ...(named.length > 0 ? [`Of the fields, ${named.join('; ')}.`] : []),
    'The same placeholder always stands for the same value. Use placeholders as they are, in answers and in arguments of tools: they become the values',
    'before the user reads them or a tool runs. Do not change, explain or guess them, and do not ask for what is behind them.',
    '</PRIVACY_RULE>',
  ].join('\n');
}

/** Byte-stable for a day with the same settings and tools. */
export function buildSystemPrompt(parts: SystemPromptParts): string {
  const privacy = parts.privacyFields ? privacyRule(parts.privacyFields) : '';
  const tools = parts.toolRules === null ? [] : [parts.toolRules.trim(), parts.isLean ? '' : CITATION_RULE];
  return [`Today is ${parts.today} (${parts.timeZone}).`, parts.userPrompt.trim(), privacy, ...tools]
    .filter((part) => part !== '')
    .join('\n\n');
}
