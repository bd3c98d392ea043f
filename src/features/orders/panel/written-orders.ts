import type { ChatControllerDeps } from '../../../chat/controller/controller-deps.ts';
import { startPersonsCall } from '../../../tools/calls/recorded-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { BlockReading } from '../../../tools/contract/note-readings.ts';
import { HeadlessApprovalAdapter } from '../../../tools/executor/approvals.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import type { OrdersOptions } from '../open-orders.ts';
import type { NewOrder, WrittenCall } from '../orders-port.ts';
import { isSettings, settingOf } from '../read-orders.ts';

interface WriteDeps extends Pick<OrdersOptions, 'executor' | 'follow'> {
  readonly chats: Pick<ChatControllerDeps, 'clock' | 'newId'>;
}

interface WrittenNote extends WrittenCall {
  readonly documentId: string;
}

const LABELS = { when: 'When', project: 'Project', budget: 'Budget', quiet: 'Quiet', limit: 'Limit' } as const;
const NAMES = ['when', 'project', 'budget', 'quiet', 'limit'] as const;

const oneLine = (value: string): string => value.replaceAll(/\s+/gu, ' ').trim();

/** SiYuan puts the title of a note into a reference to it. */
const settingIn = ({ project = '', ...order }: NewOrder, name: (typeof NAMES)[number]): string =>
  name === 'project' ? project && `((${project} '${project}'))` : oneLine(order[name] ?? '');

/** What an order says of when and how it runs, a line each. */
export const settingLines = (order: NewOrder): readonly string[] =>
  NAMES.flatMap((name) => (settingIn(order, name) === '' ? [] : [`${LABELS[name]}: ${settingIn(order, name)}`]));

const plain = (line: string): string => line.replaceAll('*', '\\*');

/** An order as Markdown for the note. */
export const orderMarkdown = (order: NewOrder): string =>
  `## ${oneLine(order.name)}\n\n${settingLines(order)
    .map((line) => `- ${plain(line)}`)
    .join('\n')}\n\n${order.text}`;

/** Runs what the person did in a form as an ordinary call: it is in the journal like every write, but no model wrote it. */
export async function writeByForm(deps: WriteDeps, tool: string, args: Readonly<Record<string, unknown>>): Promise<WrittenNote> {
  const { clock, newId } = deps.chats;
  const executor = deps.executor(new HeadlessApprovalAdapter(() => ({ approved: true, beyondRight: true })));
  await deps.follow(executor);
  const [sessionId, callId] = [`orders-${newId()}`, newId()];
  const place = { sessionId, nodeId: callId, signal: NEVER, clock, recorder: null };
  const { written, error } = await startPersonsCall({ callId, tool, args }, { asker: 'form', executor, ...place }).result;
  if (!written) throw new ToolError(error?.code ?? 'tool_failed', error?.message ?? 'nothing was written', error?.next ?? 'try again');
  return { sessionId, messageId: callId, callId, documentId: written.documentId };
}

/** The list of settings with those that differ; the others as they are. */
function changedList(list: BlockReading | undefined, before: NewOrder, after: NewOrder): string {
  const changed = NAMES.filter((name) => settingIn(before, name) !== settingIn(after, name));
  const left = new Set<string>(changed);
  const lines = (list?.items ?? []).flatMap(({ markdown, depth }) => {
    const name = changed.find((each) => depth === 0 && settingOf(markdown)?.name === each);
    if (!name) return [`${'  '.repeat(depth)}- ${markdown}`];
    left.delete(name);
    const label = markdown.slice(0, markdown.search(/[:：]/u) + 1);
    return settingIn(after, name) === '' ? [] : [`- ${label} ${plain(settingIn(after, name))}`];
  });
  const added = changed.filter((name) => left.has(name) && settingIn(after, name) !== '');
  return [...lines, ...added.map((name) => `- ${LABELS[name]}: ${plain(settingIn(after, name))}`)].join('\n');
}

/** Changes the blocks of an order where both differ: its heading keeps its id, and so what is remembered of it. */
export async function changeOrder(
  deps: WriteDeps,
  [heading, ...section]: readonly BlockReading[],
  before: NewOrder,
  after: NewOrder,
): Promise<void> {
  if (!heading) return;
  const edit = ({ id, hash }: BlockReading, markdown: string) => writeByForm(deps, 'edit_block', { id, markdown, expectHash: hash });
  const list = section.find(isSettings);
  const settings = changedList(list, before, after);
  if (!list) await writeByForm(deps, 'insert_blocks', { anchor: heading.id, position: 'after', markdown: settings });
  else if (NAMES.some((name) => settingIn(before, name) !== settingIn(after, name))) await edit(list, settings);
  const [text, ...more] = section.filter((block) => block !== list);
  if (before.text !== after.text) {
    if (text) await edit(text, after.text);
    else await writeByForm(deps, 'insert_blocks', { anchor: list?.id ?? heading.id, position: 'after', markdown: after.text });
    if (more.length > 0) await writeByForm(deps, 'delete_blocks', { ids: more.map(({ id }) => id) });
  }
  const [level = '##'] = /^#+/u.exec(heading.markdown) ?? [];
  if (before.name !== after.name) await edit(heading, `${level} ${oneLine(after.name)}`);
}
