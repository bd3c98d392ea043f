// Protocols that others have a suite for: Markdown's examples by way of a note, and the official suite of MCP.
import { closeNotes, openNotes } from '../../tests/host/open-notes.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { openSet } from '../sets.ts';
import { examplesIn, markdownRows } from './markdown.ts';
import { mcpRows } from './mcp.ts';

/** Why some are not as measured, of each kind what the full run printed. */
const REASONS = {
  refused: 'a link in the text of a link is refused',
  lost: 'SiYuan knows no indented code, and takes an address with spaces or brackets for a link, which is left out if it is relative',
  unlike:
    'on purpose: HTML is shown as code, relative links and pictures are text, one tilde is no subscript, brackets with backslashes are a formula; line breaks inside marks and cells beyond the header, which SiYuan drops, are kept',
  unsteady:
    'SiYuan reads its own Markdown otherwise: a space more between a mark and punctuation at each reading, lists beside each other join, text that looks like a block',
};

const FILES = ['spec', 'extensions', 'regression'];

async function run(options: EvalOptions): Promise<readonly EvalRow[]> {
  const { folder, version } = openSet(options, 'protocols', 'cmark-gfm', 'github/cmark-gfm');
  const rows: EvalRow[] = [];
  const notes = await openNotes({ notebooks: [{ name: 'Examples', right: 'delete', documents: { '/Page': 'start' } }] });
  try {
    for (const file of FILES)
      rows.push(...(await markdownRows(notes, { set: `cmark-gfm, ${file}`, version }, examplesIn(folder, file), REASONS)));
  } finally {
    await closeNotes();
  }
  return [...rows, ...(await mcpRows(options))];
}

export const part: EvalPart = { name: 'protocols', title: 'Protocols: Markdown by way of a note, and MCP by its official suite', run };
