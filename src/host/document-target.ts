import { ToolError } from '../tools/errors.ts';
import type { Clock } from '../tools/ports.ts';
import { withoutZwsp } from './block-dom.ts';
import { hashOfBlock } from './block-hash.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { NotesReader } from './notes-reader.ts';
import type { PreparedTarget } from './prepared-plan.ts';

/** A document that was made for a write, and what must be known to take it away again. */
export interface CreatedDocument {
  readonly id: string;
  readonly parents: readonly string[];
  readonly baseline: readonly { readonly id: string; readonly hash: string }[];
  /** The paragraph that SiYuan puts into an empty document; it goes when the first block comes. */
  readonly emptyParagraph: { readonly id: string; readonly dom: string } | null;
}

/** How a document that does not exist yet will be made. */
export interface DocumentMaker {
  readonly path: string;
  /** The document that stands there after all; the write goes to its end. */
  readonly existing: string | null;
  /** Creates it empty, so that the content filter holds for what is put in (HOST.md). Not aborted half-way. */
  create(): Promise<CreatedDocument>;
}

export interface DocumentTargetDeps {
  readonly routes: KernelRoutes;
  readonly reader: NotesReader;
  readonly clock: Clock;
}

const parentPaths = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`);
};

/** Looks again before anything is made: createDocWithMd on a path that exists makes a duplicate (HOST.md). */
export async function prepareDocument(
  deps: DocumentTargetDeps,
  notebook: string,
  target: Exclude<PreparedTarget, { kind: 'existing' }>,
  shownPath: string,
  signal: AbortSignal,
): Promise<DocumentMaker> {
  const { routes } = deps;
  const never = new AbortController().signal;
  const daily = target.kind === 'daily';
  if (daily && target.date !== deps.clock.today())
    throw new ToolError('stale', 'the day has changed since the plan was made', 'plan it again for today');
  const atPath = (await routes.idsByPath(notebook, shownPath, signal))[0];
  if (!daily && atPath !== undefined)
    throw new ToolError('path_exists', `"${shownPath}" is there by now`, `write into it (id ${atPath}) or choose another path`);
  const noted = daily ? (await deps.reader.dailyNotes({ from: target.date, to: target.date, notebook }, signal))[0]?.id : undefined;
  const existing = noted ?? atPath ?? null;
  const missingParents: string[] = [];
  if (existing === null) {
    for (const path of parentPaths(shownPath)) if ((await routes.idsByPath(notebook, path, signal)).length === 0) missingParents.push(path);
  }

  async function create(): Promise<CreatedDocument> {
    const id = daily ? await routes.createDailyNote(notebook, never) : await routes.createDocument(notebook, shownPath, never);
    const children = await routes.children(id, never);
    const doms = await routes.doms(
      children.map((child) => child.id),
      never,
    );
    const [only] = children;
    const isEmpty = children.length === 1 && only?.type === 'p' && withoutZwsp(only.content).trim() === '';
    const parents: string[] = [];
    for (const path of missingParents) parents.push(...(await routes.idsByPath(notebook, path, never)));
    return {
      id,
      parents,
      baseline: isEmpty ? [] : children.map((child) => ({ id: child.id, hash: hashOfBlock(doms[child.id] ?? '') })),
      emptyParagraph: isEmpty && only ? { id: only.id, dom: doms[only.id] ?? '' } : null,
    };
  }

  return { path: shownPath, existing, create };
}
