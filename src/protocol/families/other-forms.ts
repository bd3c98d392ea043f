import { ARGUMENT_KEYS, BROKE_OFF, invalidDraft } from '../call-object.ts';
import type { OtherForms, RequestDraft } from '../scanner/syntax.ts';
import { type IsTool, isCutOpening, openingAt } from './opening.ts';
import { type FamilyCalls, readFamilyCalls } from './read-calls.ts';

const SHORT = 60;
const HAS_ARGUMENTS = new RegExp(`["'](?:${ARGUMENT_KEYS.join('|')})["']\\s*:`, 'u');
/** A fence with a language that is used only for calls. */
const CALLS_ONLY = /^`{3,}[ \t]*(?:tool|function_call)/iu;

export const otherForms = (own: string, isTool: IsTool): OtherForms => ({
  openingAt: (text, at, isLine) => openingAt(text, at, { own, isLine, isTool }),
  isCutOpening,
  read: (raw) => readFamilyBlock(raw, isTool),
});

/** Splits a text from another family's opening on into calls and the text after them; undefined if all is text. */
function readFamilyBlock(raw: string, isTool: IsTool): Omit<FamilyCalls, 'isBroken'> | undefined {
  const calls = readFamilyCalls(raw, isTool);
  if (/^(?:[`{]|\[(?!TOOL_))/u.test(raw)) return isMeant(raw, calls, isTool) ? calls : undefined;
  if (calls.drafts.length > 0) return calls;
  const why = raw.length < SHORT ? BROKE_OFF : 'nothing in it could be read as a call; write it exactly as was explained';
  return { drafts: [invalidDraft(why, '')], rest: '' };
}

/** JSON and code may be an example. A call names offered tools, has their arguments, and ends the answer. */
function isMeant(raw: string, { drafts, rest, isBroken }: FamilyCalls, isTool: IsTool): boolean {
  if (drafts.length === 0 || (rest !== '' && !CALLS_ONLY.test(raw))) return false;
  const isCall = ({ toolName, invalid }: RequestDraft): boolean => isTool(toolName) && invalid === undefined;
  if (!drafts.slice(0, isBroken ? -1 : undefined).every(isCall)) return false;
  return isBroken || HAS_ARGUMENTS.test(raw) || /\w\(/u.test(raw);
}
