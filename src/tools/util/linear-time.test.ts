import { describe, expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { NO_NOTES } from '../contract/provenance.ts';
import { parseArguments } from '../executor/arguments.ts';
import { VariableRights } from '../executor/variable-rights.ts';
import { VariableSystem } from '../executor/variables.ts';
import { createVarsGroup } from '../executor/vars.ts';
import { withWholeRows } from '../markdown/table-rows.ts';
import { callOptions, testClock } from '../testing/support.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { escapeMarkers, unescapeStructure } from './markers.ts';
import { plainWords } from './plain-words.ts';
import { truncateContent } from './truncate.ts';

const LENGTH = 400_000;

/** Length of what comes out. What takes the square of the length needs minutes and runs into the test's own limit. */
function lengthOf(act: () => unknown): number {
  try {
    return JSON.stringify(act()).length;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.message.length;
  }
}

// A note can hold any of these, and so can a model that repeats itself without end.
const RUNS = [
  ' ',
  '\n',
  '\\',
  '<',
  '[',
  '`',
  '|',
  '$VAR_REF{{',
  '[ tool ',
  '< /',
  '<\u200b',
  't\u2060',
  '<<<[',
  '| - ',
  '1',
  'a',
  'a(',
  '🇩🇪',
];
const STARTS = ['', '<', '</', '[', '<<', '[tool', '$VAR_REF{{', '```json', '| a |\n|', '{"a":"'];
const TEXTS = STARTS.flatMap((start) => RUNS.map((run) => `${start}${run.repeat(LENGTH / run.length)}x\n| 1 |\n| 2 |`));

describe('hostile runs of one character cost their length, not its square', () => {
  it.each([
    ['escapeMarkers', escapeMarkers],
    ['unescapeStructure', unescapeStructure],
    ['estimateTokens', estimateTokens],
    ['truncateContent', (text: string) => truncateContent(text)],
    ['plainWords', plainWords],
    ['withWholeRows', (text: string) => withWholeRows(text, '\\|').text],
    ['parseArguments', (text: string) => parseArguments(text)],
    ['parseArguments of a value', (text: string) => parseArguments(`{"a":${text}`)],
    ['truncateContent of a table', (text: string) => truncateContent(`| a |\n${text}\n| 1 |\n| 2 |`)],
  ])('%s', (_name, act) => {
    for (const text of TEXTS)
      expect(
        lengthOf(() => act(text)),
        text.slice(0, 12),
      ).toBeLessThan(4 * LENGTH);
  });

  it('parseArguments of a fence that never closes', () => {
    expect(lengthOf(() => parseArguments(`\`\`\`json\n${'\n'.repeat(LENGTH)}x`))).toBeLessThan(4 * LENGTH);
  });

  it('ReadVar of a reference with a gap', async () => {
    const readVar = createVarsGroup(
      new VariableSystem({ clock: testClock() }),
      new VariableRights(NO_NOTES, () => undefined),
      async () => undefined,
    ).tools[0];
    const context = { ...callOptions(), report: () => undefined };
    await expect(readVar?.execute({ name: `$VAR_REF{{${' '.repeat(LENGTH)}x y}}` }, context)).rejects.toBeInstanceOf(ToolError);
  });
});
