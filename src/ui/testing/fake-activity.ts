import type { ActivityRecord } from '../../chat/activity/activity.ts';
import type { ActivityFiles } from '../../chat/activity/activity-files.ts';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { UndoReport, UndoState } from '../../tools/contract/ports.ts';
import type { ActivityPort, RecordedCall } from '../ports/activity-port.ts';
import type { FakeController } from './fake-controller.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const APOLLO = '20260412093000-apollo0';
const HEAT = '20260412093000-heat000';
const ROOFS = '20260412093000-roofs00';
const CLOSED = '20260412093000-closed0';

/** Noon of the day that is shown as today, so that nothing here crosses midnight. */
const noon = (): number => new Date().setHours(12, 0, 0, 0);

const record = (id: string, timestamp: number, more: Partial<ActivityRecord>): ActivityRecord => ({
  id,
  sessionId: 'session-1',
  messageId: 'said-1',
  callId: `call-${id}`,
  toolName: 'read_doc',
  effect: 'read',
  arguments: {},
  result: null,
  error: null,
  status: 'success',
  durationMs: 420,
  timestamp,
  userMessage: 'What do my notes say about heat?',
  sources: [],
  ...more,
});

function records(): readonly ActivityRecord[] {
  const now = noon();
  const edit = { toolName: 'edit_block', effect: 'write', messageId: 'said-2' } as const;
  const written = { blockIds: ['20260412093011-abc1234'], documentId: APOLLO, title: 'Apollo', undoable: true };
  return [
    record('9', now, { ...edit, arguments: { id: written.blockIds[0], markdown: 'The kickoff is on **Tuesday** at ten.' }, written }),
    record('8', now - 60_000, { ...edit, arguments: { markdown: 'Nobody wanted this.' }, status: 'execution_rejected' }),
    record('7', now - 2 * 60_000, {
      toolName: 'web_search',
      effect: 'outgoing',
      arguments: { query: 'cool roofs albedo' },
      status: 'error',
      error: { code: 'timeout', message: 'the server did not answer', next: 'try again' },
    }),
    record('6', now - 3 * 60_000, {
      arguments: { path: '/Climate/Cool roofs' },
      result: `# Cool roofs [${ROOFS}]\nWhite paint…`,
      sources: [{ document: HEAT }, { document: ROOFS }],
    }),
    record('5', now - HOUR, {
      toolName: 'search_notes',
      arguments: { query: 'heat islands' },
      result: '1. Urban heat: street trees lower the surface by 12 °C…',
      sources: [{ document: HEAT }, { document: ROOFS }],
    }),
    record('4', now - DAY, {
      arguments: { id: HEAT },
      sources: [{ document: HEAT }],
      sessionId: 'session-2',
      parentCallId: 'spawn',
      durationMs: 12_000,
    }),
    record('3', now - DAY - HOUR, {
      toolName: 'insert_blocks',
      effect: 'write',
      sessionId: 'gone',
      arguments: { markdown: '- Who moderates?' },
      written: {
        blockIds: ['20260412093011-def1234'],
        documentId: CLOSED,
        title: 'A note with a very long title that does not fit',
        undoable: true,
        unasked: 'nb-life',
      },
    }),
    record('2', now - 20 * DAY, { arguments: { id: CLOSED }, sources: [{ document: CLOSED }] }),
  ];
}

/** Records in memory, a part for each day; what was written can be undone once, in part where the test wants so. */
export class FakeActivity implements ActivityPort {
  readonly log: (readonly [string, ...unknown[]])[] = [];
  records = records();
  damaged: Awaited<ReturnType<ActivityFiles['read']>>['damaged'] = [];
  /** What Undo meets. */
  conflicts: UndoReport['conflicts'] = [];
  /** What an earlier Undo of every call left open. */
  report: UndoReport | undefined;
  kind: UndoState['kind'] = 'exact';
  readonly #undone = new Set<string>();

  async read(before?: string) {
    this.log.push(['read', before]);
    const dayOf = ({ timestamp }: ActivityRecord): string => new Date(timestamp).toISOString().slice(0, 10);
    const days = [...new Set(this.records.map(dayOf))];
    const day = before === undefined ? days[0] : days.find((each) => each < before);
    const more = day !== undefined && day !== days.at(-1);
    const damaged = before === undefined ? this.damaged : [];
    return { records: this.records.filter((each) => dayOf(each) === day), damaged, before: more ? day : null };
  }

  async startAnew(path: string): Promise<void> {
    this.log.push(['startAnew', path]);
    this.damaged = [];
  }

  async remove(which: object): Promise<number> {
    this.log.push(['remove', which]);
    const n = this.records.length;
    this.records = [];
    return n;
  }

  async undoState({ callId }: RecordedCall): Promise<UndoState> {
    const { report } = this;
    if (report) return { blocks: 2, kind: this.kind, undone: true, redo: 1, report };
    const undone = this.#undone.has(callId);
    return { blocks: 1, kind: this.kind, undone, redo: undone && this.conflicts.length === 0 ? 1 : undefined };
  }

  async undo({ callId }: RecordedCall): Promise<UndoReport> {
    this.log.push(['undo', callId]);
    this.#undone.add(callId);
    return { restored: this.conflicts.length > 0 ? [] : ['20260412093011-abc1234'], conflicts: this.conflicts };
  }

  async redo({ callId }: RecordedCall): Promise<UndoReport> {
    this.log.push(['redo', callId]);
    this.#undone.delete(callId);
    return { restored: ['20260412093011-abc1234'], conflicts: [] };
  }

  async resolve({ callId }: RecordedCall, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<UndoReport> {
    this.log.push(['resolve', callId, blockId, choice, shown]);
    return { restored: choice === 'keep' ? [] : [blockId], conflicts: [] };
  }

  async changes(): Promise<readonly PlanOperation[]> {
    const [before, after] = ['The kickoff is on Monday at nine.', 'The kickoff is on **Tuesday** at ten.'];
    return [{ id: 'op', action: 'update', blockId: '20260412093011-abc1234', blockType: 'p', before, after, requires: [] }];
  }

  async titles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const known = new Map([
      [APOLLO, 'Apollo'],
      [HEAT, 'Urban heat'],
      [ROOFS, 'Cool roofs'],
    ]);
    return new Map(ids.flatMap((id): [string, string][] => (known.has(id) ? [[id, known.get(id) ?? '']] : [])));
  }
}

/** The chats that the records belong to. */
export function activityChats(controller: FakeController): void {
  controller.library.summaries = [
    { id: 'session-1', title: 'Urban heat', updated: Date.now(), pinned: false, messages: 4 },
    { id: 'session-2', title: 'Thesis outline and what is missing in the second chapter', updated: Date.now(), pinned: false, messages: 2 },
  ];
}
