import { closeNotes, openNotes } from '../../tests/host/open-notes.ts';
import type { EvalPart, EvalRow } from '../part.ts';
import { replayBlocks, replayFormats } from './others.ts';
import { type PageEdit, type Replayed, replay, withPages } from './replay.ts';
import { type Vault, vaults } from './vaults.ts';

type Named = readonly [edit: PageEdit, replayed: Replayed];

const WANTED_EXACT = '99.5 % of those whose approval names nothing that was taken out';
const OURS = 'rewrite_doc';
const BLOCKS = 'blocks deleted and inserted';

const percent = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** The columns of one way to edit. */
function columnsOf(replays: readonly Named[]) {
  const applied = replays.filter(([, { refused }]) => refused === undefined);
  const exact = applied.filter(([, { isExact }]) => isExact).length;
  const [kept, of] = applied.reduce(([those, all], [, each]) => [those + each.kept[0], all + each.kept[1]], [0, 0]);
  const ratios = applied.filter(([, { humanWords }]) => humanWords > 0).map(([, { words, humanWords }]) => words / humanWords);
  ratios.sort((one, other) => one - other);
  const undone = applied.filter(([, { isUndone }]) => isUndone).length;
  return {
    ...{ refused: (replays.length - applied.length) / replays.length, exact: exact / applied.length, kept: kept / Math.max(1, of) },
    ...{ median: quantile(ratios, 0.5), p95: quantile(ratios, 0.95), undone: undone / applied.length },
    words: `exact ${percent(exact, applied.length)}, ids kept ${percent(kept, of)}, words median ${quantile(ratios, 0.5).toFixed(2)} p95 ${quantile(ratios, 0.95).toFixed(2)}, refused ${percent(replays.length - applied.length, replays.length)}`,
  };
}

const inPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const isWordy = ({ words, humanWords }: Replayed): boolean => humanWords > 0 && words / humanWords > 1.5;

/** Why an edit is not as wanted, where that is known of it. */
function causeOf({ isFiltered, keepsUnsaid, isRemade }: Replayed): string | undefined {
  if (isFiltered) return 'what the filter takes out of new text, such as links by a path and HTML that runs, is shown and changed as well';
  if (keepsUnsaid) return 'an embed stays where the new text has it at another place, and the approval says so';
  return isRemade ? 'a block of another kind is shown whole, as one that goes and one that comes' : undefined;
}

function ourRows({ name, version, all }: Vault, replays: readonly Named[]): EvalRow[] {
  const { exact, kept, median, p95, undone, refused: share } = columnsOf(replays);
  const row = (
    measured: string,
    ours: string,
    wanted: string,
    holds: boolean,
    wrongIn: (replayed: Replayed) => string | undefined,
  ): EvalRow => {
    const wrong = replays.flatMap(([edit, replayed]) => {
      const why = wrongIn(replayed);
      return why === undefined ? [] : [{ text: `${edit.name}: ${why.replaceAll(/\s+/g, ' ').slice(0, 260)}`, cause: causeOf(replayed) }];
    });
    const causes = new Set(wrong.map(({ cause }) => cause));
    const reason = holds || causes.has(undefined) ? {} : { reason: [...causes].join('; ') };
    const set = { set: name, version: `${version}, ${replays.length} of ${all} changed pages` };
    return { ...set, cases: replays.length, measured, ours, wanted, holds, failed: wrong.map(({ text }) => text), ...reason };
  };
  const unfiltered = replays.filter(([, { isFiltered, refused }]) => isFiltered !== true && refused === undefined);
  const open = columnsOf(unfiltered).exact;
  const ratios = `median ${median.toFixed(2)}, p95 ${p95.toFixed(2)}`;
  return [
    row(`the page as wanted (${inPercent(exact)} of all)`, inPercent(open), WANTED_EXACT, open >= 0.995, ({ isFiltered, difference }) =>
      isFiltered === true ? undefined : difference,
    ),
    row('ids of unchanged blocks kept', inPercent(kept), '99.5 %', kept >= 0.995, ({ kept: [those, of] }) =>
      those < of ? `${those} of ${of}` : undefined,
    ),
    row('words of the plan / of the person’s change', ratios, 'median 1.0, p95 1.5', median <= 1.005 && p95 <= 1.5, (each) =>
      isWordy(each) ? `${each.words} / ${each.humanWords}` : undefined,
    ),
    row('Undo: every byte as before', inPercent(undone), '100 %', undone === 1, ({ isUndone }) =>
      isUndone === false ? 'not as before' : undefined,
    ),
    row('refused', inPercent(share), '≤ 2 %', share <= 0.02, ({ refused }) => refused),
  ];
}

const peerRow = ({ name, version }: Vault, ours: readonly Named[], [peer, those]: readonly [string, readonly Named[]]): EvalRow => ({
  ...{
    set: name,
    version,
    cases: those.length,
    measured: `the same edits as ${peer}`,
    ours: columnsOf(ours).words,
    holds: true,
    failed: [],
  },
  peer: { name: peer, figure: columnsOf(those).words, how: 'run here over the same notes, without Undo' },
});

async function measure(vault: Vault): Promise<readonly EvalRow[]> {
  const notes = await openNotes({ notebooks: [{ name: 'Pages', documents: {} }] });
  const { bench } = notes;
  bench.policy.setRight(bench.notebook, 'delete');
  const ways = new Map<string, Named[]>();
  const add = (way: string, edit: PageEdit, replayed: Replayed): void => {
    ways.set(way, [...(ways.get(way) ?? []), [edit, replayed]]);
  };
  try {
    for (const edit of vault.edits) {
      const done = await withPages(notes, edit, async (pages) => {
        add(OURS, edit, await replay(notes, pages));
        add(BLOCKS, edit, await replayBlocks(bench, pages));
      });
      if (done === null) continue;
      await withPages(notes, edit, async (pages) => {
        for (const [way, replayed] of await replayFormats(bench, pages)) add(way, edit, replayed);
      });
    }
  } finally {
    await closeNotes();
  }
  const { [OURS]: ours = [], ...others } = Object.fromEntries(ways);
  return [...ourRows(vault, ours), ...Object.entries(others).map((way) => peerRow(vault, ours, way))];
}

export const part: EvalPart = {
  name: 'edits',
  title: 'Edits that people made to their pages, made again by tool calls',
  async run(options) {
    const rows: EvalRow[] = [];
    for (const vault of vaults(options)) rows.push(...(await measure(vault)));
    return rows;
  },
};
