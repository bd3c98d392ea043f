import type { NotebookLevels } from '../../app/workspace/narrowed-policy.ts';
import type { ActivityStore } from '../../chat/activity/activity.ts';
import { ActivityRecorder } from '../../chat/activity/recorder.ts';
import type { ChatModels } from '../../chat/controller/controller-deps.ts';
import type { NamedProject, Projects } from '../../chat/session/chat-project.ts';
import { projectNamed } from '../../chat/session/named-project.ts';
import type { ExecutorPorts, SessionDeps } from '../../chat/turn/session.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import { limitedTurn } from '../../model/budget/turn-limit.ts';
import type { ModelRef } from '../../model/providers.ts';
import { type EventError, isToolError } from '../../tools/contract/errors.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { Clock, NotebookInfo, NotesPort, WriteHistory } from '../../tools/contract/ports.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';
import { type ApprovalPolicy, HeadlessApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { BLOCKS_AT_ONCE, blocksUpTo } from '../../tools/groups/common/blocks-up-to.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { EventReader, ifThere } from './event-reader.ts';
import { Inbox, type InboxDeps } from './inbox.ts';
import { Lease, type LeaseDeps } from './lease.ts';
import type { Order, OrderProblem, Target } from './order.ts';
import { OrderFiles, type OrderRun, type OrderStorage } from './order-files.ts';
import { questionOfRun, titleOfRun } from './order-prompt.ts';
import { NOTHING_WAITS, OrderRunner, type OrdersNote, type RunEnd, type RunRequest } from './order-runner.ts';
import { decideInRun, proposingGroups } from './proposing.ts';

/** A turn of a chat of its own, with a title and tools of its own. */
export interface RunChat {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly models: ChatModels;
  readonly executorFactory: SessionDeps['executorFactory'];
  readonly project: NamedProject | undefined;
  /** What its project keeps to besides. */
  readonly levels: NotebookLevels | undefined;
}

/** What a turn ended with. */
export interface RunChatEnd {
  readonly status: 'completed' | 'aborted' | 'error';
  readonly error?: EventError | null | undefined;
}

/** Changes the groups of tools of an executor over these notes. */
type ArrangeGroups = (groups: readonly ToolGroup[]) => readonly ToolGroup[];

export interface OrdersOptions {
  readonly storage: OrderStorage;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly lease: LeaseDeps;
  readonly notes: NotesPort;
  readonly models: ChatModels;
  readonly settings: () => Pick<Settings, 'prices'>;
  /** The model of a name, as people write it. */
  readonly modelNamed: (name: string) => ModelRef | undefined;
  readonly projects: Projects | undefined;
  /** The tools of a run: over notes at most at these levels; absent: as much as the workspace. */
  readonly runTools: (ports: ExecutorPorts, arrange: ArrangeGroups, levels?: NotebookLevels) => ToolExecutor;
  /** The notes, at most at these levels. */
  readonly notesFor: (levels: NotebookLevels) => NotesPort;
  /** Runs a turn; resolves when it is saved. */
  readonly chat: (chat: RunChat, signal: AbortSignal) => Promise<RunChatEnd>;
  /** The ordinary tools, how they follow rights and switches, and where their approvals wait. */
  readonly executor: InboxDeps['executor'];
  readonly follow: InboxDeps['follow'];
  readonly pending: InboxDeps['pending'];
  readonly history: Pick<WriteHistory, 'state'>;
  /** Where approved changes are recorded. */
  readonly activity: ActivityStore;
  readonly newId: () => string;
  readonly onChange?: () => void;
}

export interface OpenOrders {
  readonly files: OrderFiles;
  readonly orders: OrderRunner;
  readonly inbox: Inbox;
}

const MAX_BLOCKS = 1000;

/** Under the rights of the workspace: a note that is hidden from the model has no orders. */
async function readNote(notes: NotesPort, id: string, signal: AbortSignal): Promise<OrdersNote> {
  try {
    const first = await notes.document({ id }, { start: 0, blocks: BLOCKS_AT_ONCE }, signal);
    return { kind: 'read', id, title: first.title, blocks: await blocksUpTo(notes, first, MAX_BLOCKS, signal) };
  } catch (error) {
    if (!isToolError(error) || error.code === 'aborted') throw error;
    return { kind: 'unreadable', reason: error.message };
  }
}

/** Orders name notebooks by their ids, or by their names in any case. */
const isNamed =
  (wanted: string) =>
  ({ id, name }: NotebookInfo): boolean =>
    id === wanted || name.toLowerCase() === wanted.toLowerCase();

/** Ids of the notebooks that an order names; undefined if it names none, and may read all. */
const namedBy = ({ notebooks }: Order, known: readonly NotebookInfo[]): readonly string[] | undefined =>
  notebooks.length === 0
    ? undefined
    : known.filter((notebook) => notebooks.some((wanted) => isNamed(wanted)(notebook))).map(({ id }) => id);

const fullLevels = (ids: readonly string[]): NotebookLevels => Object.fromEntries(ids.map((id) => [id, 'delete' as const]));

/** Names of notebooks, projects and models that are not there are problems of their order. */
async function check(
  options: Pick<OrdersOptions, 'notes' | 'notesFor' | 'modelNamed' | 'projects'> & { readonly events: EventReader },
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<readonly Order[]> {
  const { notes, modelNamed, projects, events } = options;
  const known = await notes.notebooks(signal);
  const all = orders.some(({ project }) => project) ? ((await projects?.list(signal)) ?? []) : [];
  const found = orders.map(async (order): Promise<Order> => {
    const missing = order.notebooks.filter((wanted) => !known.some(isNamed(wanted)));
    const problems = missing.map((line): OrderProblem => ({ code: 'bad_notebook', line }));
    if (order.model !== '' && !modelNamed(order.model)) problems.push({ code: 'bad_model', line: order.model });
    const { project } = order;
    const keepsTo = project ? projectNamed(all, project.id ?? project.name) : undefined;
    if (project && !keepsTo) problems.push(await projectProblem(project, notes, signal));
    return { ...order, keepsTo, problems: [...order.problems, ...problems] };
  });
  const placed: Order[] = [];
  for (const order of await Promise.all(found))
    placed.push(await inProject(await events.placed(order, known, namedBy(order, known), signal), options, signal));
  return placed;
}

/** The order's model, which stops at its budget. */
function modelsOf({ models, settings, modelNamed, clock }: OrdersOptions, { model: name, budget }: Order): ChatModels {
  const ref = name === '' ? undefined : modelNamed(name);
  return {
    summaryModel: models.summaryModel,
    model: (use, own) => {
      const chosen = models.model(use, ref ?? own);
      if (!chosen.model || !budget) return chosen;
      return { ...chosen, model: limitedTurn(chosen.model, () => budget, { prices: () => settings().prices, today: clock.today, use }) };
    },
  };
}

function endOf({ status, error }: RunChatEnd): RunEnd {
  if (status === 'completed') return { status: 'done' };
  if (status === 'aborted') return { status: 'failed', reason: 'it was stopped' };
  const reason = error ? `${error.message} → ${error.next}` : 'the model gave no answer';
  return { status: error?.code === 'budget_reached' ? 'budget' : 'failed', reason };
}

/** What a run of an order may read. Rejects with ToolError if its project cannot be read. */
async function reachOf(
  { notes, notesFor, projects }: Pick<OrdersOptions, 'notes' | 'notesFor' | 'projects'>,
  order: Order,
  signal: AbortSignal,
) {
  const within = order.notebooks.length === 0 ? undefined : namedBy(order, await notes.notebooks(signal));
  const levels = within && fullLevels(within);
  const project = order.keepsTo && projects?.of(order.keepsTo.id, levels);
  await project?.read(signal);
  return { levels, project, notes: project?.notes ?? (levels ? notesFor(levels) : notes) };
}

/** A reference has the name of its note, whatever its words are. */
async function projectProblem({ id, name }: Target, notes: Pick<NotesPort, 'blockInfo'>, signal: AbortSignal): Promise<OrderProblem> {
  const title = id === undefined ? '' : await titleOf(id, notes, signal);
  return title === '' ? { code: 'bad_project', line: name } : { code: 'left_project', line: title };
}

/** Of a note; '' for what is none, or may not be read. */
export async function titleOf(id: string, notes: Pick<NotesPort, 'blockInfo'>, signal: AbortSignal): Promise<string> {
  const [block] = await notes.blockInfo([id], signal);
  return block && !('code' in block) ? block.document.title : '';
}

/** With a problem if the project that it keeps to has nothing of the place that it waits for. */
async function inProject(order: Order, options: Parameters<typeof reachOf>[0], signal: AbortSignal): Promise<Order> {
  const { keepsTo, place, schedule, problems } = order;
  if (!keepsTo || place === undefined || schedule?.kind !== 'event' || problems.length > 0) return order;
  // What a run cannot read, it says.
  const reach = await ifThere(reachOf(options, order, signal));
  if (!reach || (await reach.notes.notebooks(signal)).some(({ id, right }) => id === place && isSeen(right))) return order;
  const [block] = await reach.notes.blockInfo([place], signal);
  if (block && !('code' in block)) return order;
  const title = schedule.target.id === undefined ? '' : await titleOf(place, options.notes, signal);
  return { ...order, problems: [{ code: 'project_place', line: title || schedule.target.name }] };
}

async function ask(options: OrdersOptions, reader: EventReader, request: RunRequest, signal: AbortSignal): Promise<RunEnd> {
  const { order, run, keep } = request;
  const { events = [] } = run;
  const { runTools, chat } = options;
  const { levels, project } = await reachOf(options, order, signal);
  const titles = await reader.titles(order, signal, project?.notes);
  // All of it was deleted or hidden meanwhile.
  if (events.length > 0 && !events.some(({ id }) => titles.has(id))) return NOTHING_WAITS;
  const proposing = { allowed: order.tools, keep };
  const arrange: ArrangeGroups = (groups) => proposingGroups(groups, proposing);
  const executorFactory: RunChat['executorFactory'] = (ports) => {
    const decide: ApprovalPolicy = (asked) => decideInRun(asked, made.effectOf(asked.tool, asked.args), proposing);
    const made: ToolExecutor = runTools({ ...ports, approvalAdapter: new HeadlessApprovalAdapter(decide) }, arrange, levels);
    return made;
  };
  const own = { models: modelsOf(options, order), executorFactory, project: order.keepsTo, levels };
  return endOf(await chat({ ...own, id: run.id, title: titleOfRun(request), text: questionOfRun(request, titles) }, signal));
}

/** Of the chat of a run, for approved proposals. */
function recorderOf({ activity: store, newId, clock }: OrdersOptions, run: OrderRun): ActivityRecorder {
  return new ActivityRecorder({
    ...{ store, newId, now: clock.now, sessionId: run.id, onTrouble: () => undefined, effectOf: () => 'write' },
    question: () => ({ id: '', text: run.name }),
  });
}

/** The orders of a workspace, for the service and the panel. */
export function openOrders(options: OrdersOptions): OpenOrders {
  const { storage, clock, timeZone, lease, notes, onChange } = options;
  const files = new OrderFiles(storage, clock.now);
  const events = new EventReader((within) => (within ? options.notesFor(fullLevels(within)) : notes), clock.now, timeZone);
  const orders = new OrderRunner({
    ...{ files, now: clock.now, timeZone, onChange },
    lease: new Lease({ ...lease, name: `${lease.name} (${timeZone})` }),
    readNote: (id, signal) => readNote(notes, id, signal),
    check: (list, signal) => check({ ...options, events }, list, signal),
    events: (list, signal) => events.look(list, signal),
    tagged: async (tag, order, signal) => {
      const reach = await ifThere(reachOf(options, order, signal));
      return reach && taggedNotes(reach.notes, tag, signal);
    },
    ask: (request, signal) => ask(options, events, request, signal),
    isUndone: async (run, { nodeId, id }) => (await options.history.state(run.id, nodeId, id)).undone,
  });
  const textOf: InboxDeps['textOf'] = async (id) =>
    (await ifThere(notes.blocks({ id, range: 'self', limit: 1 }, NEVER)))?.blocks[0]?.markdown;
  return { files, orders, inbox: new Inbox({ ...options, files, textOf, recorder: (run) => recorderOf(options, run) }) };
}

/** Notes with a tag, in their text or as a tag of the note. */
export async function taggedNotes(notes: Pick<NotesPort, 'search'>, tag: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let page: number | null = 1; page !== null && found.size < MAX_TAGGED; ) {
    const { matches, nextPage } = await notes.search({ query: tag, mode: 'keyword', tags: [tag], page, pageSize: 100 }, signal);
    for (const { documentId } of matches) found.add(documentId);
    page = nextPage;
  }
  return [...found];
}
const MAX_TAGGED = 2000;
