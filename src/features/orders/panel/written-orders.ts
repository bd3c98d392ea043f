import type { ChatControllerDeps } from '../../../chat/controller/controller-deps.ts';
import { startPersonsCall } from '../../../tools/calls/recorded-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { BlockReading } from '../../../tools/contract/note-readings.ts';
import { HeadlessApprovalAdapter } from '../../../tools/executor/approvals.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import type { OrdersOptions } from '../open-orders.ts';
import type { NewOrder, OrderSettings, WrittenCall } from '../orders-port.ts';
import { isSettings, settingOf } from '../read-orders.ts';

interface WriteDeps extends Pick<OrdersOptions, 'executor' | 'follow'> {
  readonly chats: Pick<ChatControllerDeps, 'clock' | 'newId'>;
}

type WrittenNote = WrittenCall & { readonly documentId: string };

const LABELS = { when: 'When', project: 'Project', budget: 'Budget', quiet: 'Quiet', limit: 'Limit' } as const;
const NAMES = ['when', 'project', 'budget', 'quiet', 'limit'] as const;

const oneLine = (value: string): string => value.replaceAll(/\s+/gu, ' ').trim();

/** SiYuan keeps these words like the title of the note; it writes `*` where they are its id. */
function settingIn({ project = '', projectTitle = '', ...order }: OrderSettings, name: (typeof NAMES)[number]): string {
  if (name !== 'project') return oneLine(order[name] ?? '');
  return project && `((${project} '${oneLine(projectTitle.replaceAll(/['"()]/gu, ' ')) || project}'))`;
}

/** What an order says of when and how it runs, a line each. */
export const settingLines = (order: OrderSettings): readonly string[] =>
  NAMES.flatMap((name) => (settingIn(order, name) === '' ? [] : [`${LABELS[name]}: ${settingIn(order, name)}`]));

const plain = (line: string): string => line.replaceAll('*', '\\*');

/** An order as Markdown for the note. */
export function orderMarkdown(order: NewOrder): string {
  const settings = settingLines(order).map((line) => `- ${plain(line)}`);
  return `## ${oneLine(order.name)}\n\n${settings.join('\n')}\n\n${order.text}`;
}

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
  // Lines that the form does not have stay.
  const other = (list?.items ?? []).filter(({ markdown }) => !NAMES.some((name) => name === settingOf(markdown)?.name));
  const lines = [...settingLines(after).map(plain), ...other.map(({ markdown }) => markdown)].map((line) => `- ${line}`).join('\n');
  if (!list) await writeByForm(deps, 'insert_blocks', { anchor: heading.id, position: 'after', markdown: lines });
  else if (settingLines(before).join('\n') !== settingLines(after).join('\n')) await edit(list, lines);
  const [text, ...more] = section.filter((block) => block !== list);
  if (before.text !== after.text) {
    if (text) await edit(text, after.text);
    else await writeByForm(deps, 'insert_blocks', { anchor: list?.id ?? heading.id, position: 'after', markdown: after.text });
    if (more.length > 0) await writeByForm(deps, 'delete_blocks', { ids: more.map(({ id }) => id) });
  }
  const [level = '##'] = /^#+/u.exec(heading.markdown) ?? [];
  if (before.name !== after.name) await edit(heading, `${level} ${oneLine(after.name)}`);
}
