import { PROTOCOLS } from '../../../protocol/protocols.ts';
import { estimateTokens } from '../../../tools/util/estimate-tokens.ts';
import type { MessageKey } from '../../../ui/ports/i18n.ts';
import type { ToolInstructions } from '../tool-tester.ts';

/** A part of the instructions that a model gets. */
export interface InstructionPart {
  readonly key: MessageKey;
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
}

const part = (key: MessageKey, text: string): readonly InstructionPart[] =>
  text === '' ? [] : [{ key, text, tokens: estimateTokens(text) }];

/** The system prompt with the rules of the tools set apart; in one piece where they are not found in it. */
export function systemParts(system: string, rules: string): readonly InstructionPart[] {
  const at = rules.trim() === '' ? -1 : system.indexOf(rules.trim());
  if (at < 0) return part('tester.prompt.system', system);
  const end = at + rules.trim().length;
  return [
    ...part('tester.prompt.system', system.slice(0, at).trim()),
    ...part('tester.prompt.rules', system.slice(at, end)),
    ...part('tester.prompt.rest', system.slice(end).trim()),
  ];
}

/** How definitions are sent: `native`, or the id of a protocol. */
export const FORMS = ['native', ...PROTOCOLS.map(({ id }) => id)];

export function definitionsText(instructions: ToolInstructions, form: string): string {
  const protocol = PROTOCOLS.find(({ id }) => id === form);
  if (protocol) return protocol.generateToolDefinitions(instructions.described);
  return instructions.definitions.length === 0 ? '' : JSON.stringify(instructions.definitions, null, 2);
}

/** Of native definitions as they are sent, without the indentation that they are shown with. */
export const definitionsTokens = (instructions: ToolInstructions, form: string): number =>
  estimateTokens(
    form === 'native' ? instructions.definitions.map((each) => JSON.stringify(each)).join('\n') : definitionsText(instructions, form),
  );
