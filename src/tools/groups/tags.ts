import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { READ_FREELY, textArgument, WRITE_ASKING } from '../util/define.ts';
import { applyApproved, progressOf } from './common/approved-write.ts';
import { defineNoteTool, neededText } from './common/note-tool.ts';
import { openNotebooks } from './common/notebook-names.ts';
import { changesResult } from './common/write-result.ts';

const MAX_TAGS = 200;

export function createTagsGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'tags',
    rulePrompt: 'Tags are written as #tag#. search_notes finds the blocks of a tag.',
    tools: [createTags(notes)],
  };
}

export const TAGS = {
  name: 'tags',
  kind: 'list',
  kinds: { rename: 'write', remove: 'write' },
  icon: 'iconMarginaliaTag',
  subject: ['label'],
  examples: [{ op: 'list' }, { op: 'rename', label: 'space', to: 'spaceflight' }],
} as const satisfies ToolInfo;

/** rename and remove are E: they ask every time and nothing is remembered, hence no approvalScope. */
function createTags(notes: NotesPort): Tool {
  return defineNoteTool({
    name: TAGS.name,
    description: 'List tags with counts; rename or remove a tag in all notes (removing keeps its words).',
    properties: {
      op: { enum: ['list', 'rename', 'remove'] },
      label: { type: 'string', description: 'the tag; for list a part of it' },
      to: { type: 'string', description: 'for rename: the new tag' },
    },
    required: ['op'],
    byNeed: 'list, rename or remove tags',
    ...WRITE_ASKING,
    // Whatever is not clearly a read is gated as the write that it may be.
    traits: (args) => (args.op === 'list' ? READ_FREELY : WRITE_ASKING),
    plan: async (args, { signal, report }) => {
      const label = bareTag(neededText(args, 'label', 'tags'));
      const to = args.op === 'rename' ? { to: bareTag(neededText(args, 'to', 'tags')) } : {};
      return notes.planTag({ label, ...to }, 'tags', signal, progressOf(report));
    },
    execute: async (args, context) => {
      if (args.op === 'list') return listTags(notes, args, context.signal);
      // The blocks may be in any of them; read before the write, so that a failure here does not look like a failed write.
      const notebooks = await openNotebooks(notes, context.signal);
      const { approved, report } = await applyApproved(notes, context);
      const label = bareTag(textArgument(args, 'label') ?? '');
      const did = args.op === 'rename' ? `renamed #${label}# to #${bareTag(textArgument(args, 'to') ?? '')}#` : `removed #${label}#`;
      const result = changesResult(`${did} in ${report.blockIds.length} blocks`, approved, report);
      return { ...result, notebooks };
    },
  });
}

/** Models give a tag with or without its signs. */
function bareTag(label: string): string {
  return label.trim().replaceAll(/^#+|#+$/gu, '');
}

async function listTags(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const filter = bareTag(textArgument(args, 'label') ?? '');
  const { tags, total } = await notes.tags({ filter: filter === '' ? undefined : filter, limit: MAX_TAGS }, signal);
  const more = total > tags.length ? [`next: ${total - tags.length} more; give a part of the name as label`] : [];
  // Counted over all readable notes: reading the list later requires the rights of all.
  return {
    status: 'success',
    data: [`${total} tags`, ...tags.map(({ label, count }) => `#${label}# ${count}`), ...more].join('\n'),
    notebooks: await openNotebooks(notes, signal),
  };
}
