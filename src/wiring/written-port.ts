import type { HostBase } from '../host/host-base.ts';
import { WrittenBlocks } from '../host/journal/written-blocks.ts';
import type { SavedAnswers, WrittenBlock } from '../tools/contract/written-blocks.ts';
import type { HostUi } from '../ui/ports/host-ui.ts';
import { markOutdated } from './editor/answer-marks.ts';

interface WrittenDeps {
  readonly base: HostBase;
  readonly answers: SavedAnswers;
  /** Asks a model about a block whose sources changed, in a card at the block. */
  readonly ask: (id: string) => Promise<void>;
  readonly signal: AbortSignal;
}

const PAGE = 50;

/** What models wrote, and marks in the editor, with what changed of what it cites. */
export function writtenPort({ base, answers, ask, signal }: WrittenDeps): HostUi['written'] {
  const written = new WrittenBlocks({ ...base, now: base.clock.now });
  markOutdated(answers, signal);
  const withSources = async (blocks: readonly WrittenBlock[]): Promise<readonly WrittenBlock[]> => {
    const ids = blocks.map(({ id }) => id);
    const changes = await answers.changes(ids, signal);
    return blocks.map((block) => ({ ...block, sources: changes.get(block.id) }));
  };
  return {
    counts: () => written.counts(signal),
    outdated: async () => answers.outdated().size,
    list: async (kind, before) => {
      if (kind !== 'outdated') return written.list(kind, before, signal);
      const ids = [...answers.outdated()].sort().reverse();
      const rest = before === null ? ids : ids.filter((id) => id < before);
      const page = rest.slice(0, PAGE);
      const blocks = await withSources(await written.of(page, signal, true));
      return { blocks: blocks.filter(({ sources }) => sources), next: rest.length > PAGE ? (page.at(-1) ?? null) : null };
    },
    of: async (ids) => withSources(await written.of(ids, signal)),
    markRead: (ids) => written.markRead(ids, signal),
    stillHolds: (ids) => answers.renew(ids, signal),
    checkAgain: ask,
    watch: async (listener) => answers.subscribe(listener),
  };
}
