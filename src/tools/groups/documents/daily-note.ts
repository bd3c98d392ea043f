import { ToolError } from '../../contract/errors.ts';
import type { DailyNote } from '../../contract/note-readings.ts';
import type { Clock, NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { READ_FREELY, textArgument, WRITE_ASKING } from '../../util/define.ts';
import { applyApproved, NOTEBOOK_SCOPE } from '../common/approved-write.ts';
import { daysBefore, realDay } from '../common/days.ts';
import { readDocument, truncateReading } from '../common/format-reading.ts';
import { defineNoteTool, neededText } from '../common/note-tool.ts';
import { resolveNotebook } from '../common/notebook-names.ts';
import { writeResult } from '../common/write-result.ts';

export const DAILY_NOTE = {
  name: 'daily_note',
  kind: 'read',
  kinds: { append: 'write', list: 'list' },
  icon: 'iconFile',
  subject: ['markdown', 'date'],
  examples: [
    { op: 'read', date: '2026-01-15' },
    { op: 'append', markdown: 'Called Li.', notebook: 'Work' },
  ],
} as const satisfies ToolInfo;

/** list and read run by themselves, append asks. */
export function createDailyNote(notes: NotesPort, clock: Clock): Tool {
  return defineNoteTool({
    name: DAILY_NOTE.name,
    description: 'Daily notes: list, read one, or append text to one (creates it when missing).',
    properties: {
      op: { enum: ['list', 'read', 'append'] },
      date: { type: 'string', description: 'today (default) or YYYY-MM-DD' },
      range: { type: 'string', description: 'for list: YYYY-MM-DD..YYYY-MM-DD' },
      notebook: { type: 'string', description: 'id or name, if several have daily notes' },
      markdown: { type: 'string', description: 'for append' },
    },
    required: ['op'],
    ...WRITE_ASKING,
    onlyAdds: true,
    // Whatever is not clearly a read is gated as the write that it may be.
    traits: (args) => (args.op === 'list' || args.op === 'read' ? READ_FREELY : WRITE_ASKING),
    approvalScope: NOTEBOOK_SCOPE,
    truncateForLLM: truncateReading,
    plan: async (args, { signal }) => {
      const markdown = neededText(args, 'markdown', 'daily_note');
      const notebook = await notebookOf(notes, args, signal);
      return notes.planDailyAppend({ date: dayOf(args, clock), markdown, ...notebook }, 'daily_note', signal);
    },
    execute: async (args, context) => {
      if (args.op === 'list') return listNotes(notes, args, clock, context.signal);
      if (args.op === 'read') return readNote(notes, args, clock, context.signal);
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`appended to ${approved.plan.document.path}`, approved, report);
    },
  });
}

async function notebookOf(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<{ readonly notebook?: string }> {
  const wanted = textArgument(args, 'notebook');
  return wanted === undefined ? {} : { notebook: (await resolveNotebook(notes, wanted, signal)).id };
}

function dayOf(args: ToolArguments, clock: Clock): string {
  const date = textArgument(args, 'date') ?? 'today';
  return date === 'today' ? clock.today() : realDay(date);
}

function rangeOf(args: ToolArguments, clock: Clock): { readonly from: string; readonly to: string } {
  const range = textArgument(args, 'range');
  if (range !== undefined) {
    const [from = '', to = ''] = range.split('..');
    return { from: realDay(from.trim()), to: realDay(to.trim()) };
  }
  if (textArgument(args, 'date') !== undefined) return { from: dayOf(args, clock), to: dayOf(args, clock) };
  return { from: daysBefore(clock.today(), 30), to: clock.today() };
}

async function listNotes(notes: NotesPort, args: ToolArguments, clock: Clock, signal: AbortSignal): Promise<ToolExecuteResult> {
  const range = rangeOf(args, clock);
  const found = await notes.dailyNotes({ ...range, ...(await notebookOf(notes, args, signal)) }, signal);
  const lines = found.map(({ date, id, path, notebook }) => `- ${date} [${id}] ${path} in ${notebook.name}`);
  const data = [`${found.length} daily notes from ${range.from} to ${range.to}`, ...lines].join('\n');
  return {
    status: 'success',
    data,
    notebooks: [...new Set(found.map(({ notebook }) => notebook.id))],
    blockIds: found.map(({ id }) => id),
  };
}

async function readNote(notes: NotesPort, args: ToolArguments, clock: Clock, signal: AbortSignal): Promise<ToolExecuteResult> {
  const day = dayOf(args, clock);
  const found = await notes.dailyNotes({ from: day, to: day, ...(await notebookOf(notes, args, signal)) }, signal);
  if (found.length > 1) throw ambiguous(day, found);
  const [note] = found;
  if (note === undefined) {
    throw new ToolError('not_found', `there is no daily note for ${day}`, 'call daily_note op=list, or op=append to begin one');
  }
  return readDocument(notes, { id: note.id }, {}, signal);
}

function ambiguous(day: string, found: readonly DailyNote[]): ToolError {
  const names = found.map(({ notebook }) => notebook.name).join(', ');
  return new ToolError('ambiguous_notebook', `${found.length} notebooks have a daily note for ${day}`, `name the notebook: ${names}`);
}
