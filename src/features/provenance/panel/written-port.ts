import type { Session } from '../../../chat/session/types.ts';
import type { HostBase } from '../../../host/host-base.ts';
import type { NotesHost } from '../../../host/notes-host.ts';
import type { SavedAnswers } from '../../../tools/contract/saved-answers.ts';
import { sideBySide } from '../../../tools/util/turns.ts';
import { originOf } from '../answer-origin.ts';
import type { WrittenBlock, WrittenPort } from '../provenance-port.ts';
import { WrittenBlocks } from '../written-blocks.ts';
import { watchCopies } from './copied-text.ts';
import { markOutdated } from './outdated-answers.ts';

interface WrittenDeps {
  readonly base: HostBase;
  readonly answers: SavedAnswers;
  readonly hands: NotesHost['hands'];
  readonly contentHash: NotesHost['contentHash'];
  /** A whole chat. Rejects with ToolError if it is gone. */
  readonly chat: (id: string) => Promise<Session>;
  readonly signal: AbortSignal;
}

const PAGE = 50;

/** What models wrote, and marks in the editor, with what changed of what it cites. */
export function writtenPort({ base, answers, hands, contentHash, chat, signal }: WrittenDeps): Omit<WrittenPort, 'checkAgain'> {
  const written = new WrittenBlocks({ ...base, now: base.clock.now, contentHash });
  markOutdated(answers, signal);
  watchCopies(hands, signal);
  const withSources = async (blocks: readonly WrittenBlock[]): Promise<readonly WrittenBlock[]> => {
    const ids = blocks.map(({ id }) => id);
    const changes = await answers.changes(ids, signal);
    return blocks.map((block) => ({ ...block, sources: changes.get(block.id) }));
  };
  return {
    counts: (scope) => written.counts(scope, signal),
    outdated: async () => answers.outdated().size,
    list: async (kind, scope, before) => {
      if (kind !== 'outdated') return written.list(kind, scope, before, signal);
      const ids = [...(await written.within([...answers.outdated()], scope, signal))].sort().reverse();
      const rest = before === null ? ids : ids.filter((id) => id < before);
      const page = rest.slice(0, PAGE);
      const blocks = await withSources(await written.of(page, signal, true));
      return { blocks: blocks.filter(({ sources }) => sources), next: rest.length > PAGE ? (page.at(-1) ?? null) : null };
    },
    places: async () => {
      const [{ chats, notebooks }, known] = await Promise.all([written.places(signal), base.allNotebooks(signal)]);
      return { chats, notebooks: new Map(known.flatMap(({ id, name }) => (notebooks.includes(id) ? [[id, name]] : []))) };
    },
    origins: async (blocks) => {
      const ids = [...new Set(blocks.map(({ call }) => call.sessionId))].filter(Boolean);
      // One that is gone, or cannot be read, says nothing.
      const chats = new Map(await sideBySide(ids, async (id) => [id, await chat(id).catch(() => null)] as const));
      return blocks.map(({ call }) => {
        const from = chats.get(call.sessionId);
        return from ? originOf(from, call) : null;
      });
    },
    of: async (ids) => {
      const blocks = await withSources(await written.of(ids, signal, true));
      return blocks.filter(({ call, sources }) => call.sessionId !== '' || sources);
    },
    markRead: (ids) => written.markRead(ids, signal),
    stillHolds: (ids) => answers.renew(ids, signal),
    watch: async (listener) => answers.subscribe(listener),
  };
}
