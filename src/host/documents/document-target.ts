import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { NEVER } from '../../tools/util/abort.ts';
import type { Access } from '../access/access.ts';
import { withoutZwsp } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import type { PreparedTarget } from '../transactions/prepared-plan.ts';

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
  /** Creates it empty, so that the content filter holds for what is put in. Not aborted half-way. */
  create(): Promise<CreatedDocument>;
}

export interface DocumentTargetDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly reader: NotesReader;
  readonly clock: Clock;
}

const parentPaths = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`);
};

/** Where a new document would stand. */
export interface PathLookup {
  /** Documents at the path itself that may be read. */
  readonly existing: readonly string[];
  /** Documents above it, outermost first; null for those that have to be made. */
  readonly above: readonly { readonly path: string; readonly id: string | null }[];
  /**
   * Documents that are hidden from the model and have a path that a new one will have, too. Nothing is put below them or into them: the
   * person sees them, and the model does not.
   */
  readonly hidden: number;
}

/** Looks a path up, by documents that may be read alone; `parentId` where it is known below which document it goes. */
export async function findPath(
  access: Pick<Access, 'documentsAt'>,
  { notebook, path, parentId }: { readonly notebook: string; readonly path: string; readonly parentId?: string },
  signal: AbortSignal,
): Promise<PathLookup> {
  const at = await access.documentsAt(notebook, path, signal);
  let hidden = at.hidden;
  const above: { path: string; id: string | null }[] = [];
  if (parentId !== undefined) above.push({ path: path.slice(0, path.lastIndexOf('/')), id: parentId });
  else {
    for (const each of parentPaths(path)) {
      const found = await access.documentsAt(notebook, each, signal);
      const [id = null] = found.readable;
      if (id === null) hidden += found.hidden;
      above.push({ path: each, id });
    }
  }
  return { existing: at.readable, above, hidden };
}

/** Makes the documents above that are missing, one below the other, and an empty one at the path. */
async function createAt(routes: KernelRoutes, notebook: string, path: string, above: PathLookup['above']) {
  const parents: string[] = [];
  let parent: string | undefined;
  for (const each of above) {
    if (each.id === null) {
      parent = await routes.createDocument(notebook, each.path, NEVER, parent);
      parents.push(parent);
    } else parent = each.id;
  }
  return { id: await routes.createDocument(notebook, path, NEVER, parent), parents };
}

/** Looks again before anything is made: createDocWithMd on a path that exists makes a duplicate. */
export async function prepareDocument(
  deps: DocumentTargetDeps,
  notebook: string,
  target: Exclude<PreparedTarget, { kind: 'existing' }>,
  shownPath: string,
  signal: AbortSignal,
): Promise<DocumentMaker> {
  const { routes, access } = deps;
  const daily = target.kind === 'daily';
  if (daily && target.date !== deps.clock.today())
    throw new ToolError('stale', 'the day has changed since the plan was made', 'plan it again for today');
  const parentId = daily ? undefined : target.parentId;
  const asked = { notebook, path: shownPath, parentId };
  const place = await findPath(access, asked, signal);
  const [atPath] = place.existing;
  if (!daily && atPath !== undefined)
    throw new ToolError('path_exists', `"${shownPath}" already exists`, `write into it (id ${atPath}) or choose another path`);
  const noted = daily ? (await deps.reader.dailyNotes({ from: target.date, to: target.date, notebook }, signal))[0]?.id : undefined;
  const existing = noted ?? atPath ?? null;
  // More than the person was shown.
  if (existing === null && place.hidden > (target.hidden ?? 0))
    throw new ToolError('stale', 'what is around the new document has changed since the plan was made', 'plan it again');

  async function make(): Promise<{ readonly id: string; readonly parents: readonly string[] }> {
    if (!daily || place.hidden > 0) {
      const made = await createAt(routes, notebook, shownPath, place.above);
      if (daily) await routes.setAttributes(made.id, dailyAttribute(target.date), NEVER);
      return made;
    }
    const id = await routes.createDailyNote(notebook, NEVER);
    // It may have opened one that is elsewhere than its path says.
    if (!(await access.look([id], NEVER)).get(id)?.readable)
      throw new ToolError('stale', "today's note cannot be made", 'ask the user where to write instead');
    const parents: string[] = [];
    for (const each of place.above) if (each.id === null) parents.push(...(await access.documentsAt(notebook, each.path, NEVER)).readable);
    return { id, parents };
  }

  async function create(): Promise<CreatedDocument> {
    const { id, parents } = await make();
    const children = await routes.children(id, NEVER);
    const doms = await routes.doms(
      children.map((child) => child.id),
      NEVER,
    );
    const [only] = children;
    const isEmpty = children.length === 1 && only?.type === 'p' && withoutZwsp(only.content).trim() === '';
    return {
      id,
      parents,
      baseline: isEmpty ? [] : children.map((child) => ({ id: child.id, hash: hashOfBlock(doms[child.id] ?? '') })),
      emptyParagraph: isEmpty && only ? { id: only.id, dom: doms[only.id] ?? '' } : null,
    };
  }

  return { path: shownPath, existing, create };
}

/** What SiYuan puts on a day's note. */
function dailyAttribute(date: string): Readonly<Record<string, string>> {
  const day = date.replaceAll('-', '');
  return { [`custom-dailynote-${day}`]: day };
}
