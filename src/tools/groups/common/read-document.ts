import type { DocumentAddress } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { numberArgument } from '../../util/define.ts';
import { truncateContent } from '../../util/truncate.ts';
import { formatReading } from './format-reading.ts';

/** The tool's own budget cuts between blocks; this one only limits a single giant block. */
export function truncateReading(formatted: string, args: ToolArguments): string {
  return truncateContent(formatted, Math.max(8000, 8 * numberArgument(args, 'tokens', 2000))).text;
}

export async function readDocument(
  notes: NotesPort,
  address: DocumentAddress,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ToolExecuteResult> {
  const range = { start: numberArgument(args, 'start', 0), blocks: numberArgument(args, 'blocks', 50) };
  const reading = await notes.document(address, range, signal);
  const options = { tokens: numberArgument(args, 'tokens', 2000), showIds: args.showIds !== false };
  const { text, blockIds } = formatReading(reading, options, args);
  return { status: 'success', data: text, notebooks: [reading.notebook.id], blockIds };
}
