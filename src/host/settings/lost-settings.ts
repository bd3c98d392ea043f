import type { NotebookRight } from '../../tools/contract/ports.ts';
import type { ParsedSettings } from './settings-format.ts';
import { lostToolCalls } from './tool-calls.ts';

/** Restrictions that can still be recognized in a file that is not valid JSON: a missing bracket must not lift them. */
export function lostValues(text: string): Partial<ParsedSettings> {
  return {
    ...lostPrivacy(text),
    ...lostLocalOnly(text),
    ...lostModel(text),
    ...lostBudget(text),
    ...lostToolCalls(text),
    notebooks: lostRights(text),
    permissions: lostPermissions(text),
    ...lostSwitches(text),
  };
}

/** Masking was on. What is private is no longer known, so nothing may be sent until the settings are repaired. */
function lostPrivacy(text: string): Pick<ParsedSettings, 'privacy'> | undefined {
  const found = /"privacy"[\s\S]*?"enabled"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { privacy: { enabled: 'unreadable', fields: [] } } : undefined;
}

function lostLocalOnly(text: string): Pick<ParsedSettings, 'localOnly'> | undefined {
  const found = /"localOnly"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { localOnly: true } : undefined;
}

/** The user had chosen a model: the host's default, which may be on another server, must not replace it. */
function lostModel(text: string): Pick<ParsedSettings, 'model'> | undefined {
  return /"source"\s*:\s*"custom"/.test(text) ? { model: { source: 'custom', model: '' } } : undefined;
}

/** There were limits, but their values are lost. */
function lostBudget(text: string): Pick<ParsedSettings, 'budget'> | undefined {
  return /"budget"\s*:\s*\{[\s\S]*?"(?:tokens|dollars)"/.test(text) ? { budget: { turn: { tokens: 0 } } } : undefined;
}

/** Raised rights are lost with the file; closed notebooks stay closed. */
function lostRights(text: string): Readonly<Record<string, NotebookRight>> {
  const closed = new Map<string, NotebookRight>();
  for (const [, id = '', right] of text.matchAll(/"(\d{14}-[0-9a-z]{7})"\s*:\s*"(none|read)"/g))
    if (closed.get(id) !== 'none') closed.set(id, right === 'none' ? 'none' : 'read');
  return Object.fromEntries(closed);
}

/** If a tool had a user policy, every tool asks. */
function lostPermissions(text: string): ParsedSettings['permissions'] {
  const named = [...text.matchAll(/"([^"\\]+)"\s*:\s*\{[^{}]*"(?:executionPolicy|resultApprovalPolicy)"/g)];
  return Object.fromEntries(named.map(([, tool = '']) => [tool, { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' }]));
}

/** Settings that send something without asking. */
const SENDING = ['fromEditor', 'modelTitles', 'summaries'] as const;

/** Everything that was switched off by name; a name that is no group, tool or model has no effect. */
function lostSwitches(text: string): Partial<ParsedSettings> {
  const off = Object.fromEntries([...text.matchAll(/"([^"\\]+)"\s*:\s*false/g)].map(([, name = '']) => [name, false]));
  const sending = SENDING.filter((name) => Object.hasOwn(off, name)).map((name) => [name, false]);
  return { groups: off, tools: off, searchFirst: off, skills: { note: '', on: off }, ...Object.fromEntries(sending) };
}
