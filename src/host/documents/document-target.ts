import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { NEVER } from '../../tools/util/abort.ts';
import type { Access } from '../access/access.ts';
import { withoutZwsp } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import { isUnseen, type PreparedTarget } from '../transactions/prepared-plan.ts';

/** A document that was created for a write, with what is needed to remove it again. */
export interface CreatedDocument {
  readonly id: string;
  readonly parents: readonly string[];
  readonly baseline: readonly { readonly id: string; readonly hash: string }[];
  /** The paragraph that SiYuan puts into an empty document; it is removed when the first block is written. */
  readonly emptyParagraph: { readonly id: string; readonly dom: string } | null;
}

export interface DocumentMaker {
  readonly path: string;
  /** A document that exists at the path after all; the write goes to its end. */
  readonly existing: string | null;
  /** Creates it empty, so that its content passes the content filter. Cannot be aborted half-way. */
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

export interface PathLookup {
  readonly existing: readonly string[];
  /** Documents above it, outermost first; null for those that must be created. */
  readonly above: readonly { readonly path: string; readonly id: string | null }[];
  /** Documents hidden from the model at the path of a new one; nothing is put below or into them. */
  readonly hidden: number;
}

/** Looks up a path among readable documents; `parentId` if it is known which document the new one will be below. Rejects like `requireTop`. */
export async function findPath(
  access: Pick<Access, 'documentsAt' | 'requireTop'>,
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
      else {
        // Those above it exist, readable or not.
        hidden = at.hidden;
        above.length = 0;
      }
      above.push({ path: each, id });
    }
    if (at.readable.length === 0 && above.every(({ id }) => id === null)) access.requireTop(notebook);
  }
  return { existing: at.readable, above, hidden };
}

/** The place of a note in a notebook that only takes new ones: below what is there or not, and beside a note of the same path. */
async function unseenPath(access: Access, notebook: string, path: string): Promise<PathLookup> {
  const above: { path: string; id: string | null }[] = [];
  for (const each of parentPaths(path)) {
    const [id = null] = await access.unseenAt(notebook, each, NEVER);
    above.push({ path: each, id });
  }
  return { existing: [], above, hidden: 0 };
}

/** Creates the missing documents above, one below the other, and an empty one at the path. */
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

/** Looks up the path again before anything is created: createDocWithMd on an existing path makes a duplicate. */
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
  const place = isUnseen(target) ? await unseenPath(access, notebook, shownPath) : await findPath(access, asked, signal);
  const [atPath] = place.existing;
  if (!daily && atPath !== undefined)
    throw new ToolError('path_exists', `"${shownPath}" already exists`, `write into it (id ${atPath}) or choose another path`);
  const noted = daily ? (await deps.reader.dailyNotes({ from: target.date, to: target.date, notebook }, signal))[0]?.id : undefined;
  const existing = noted ?? atPath ?? null;
  // More than the person was shown.
  if (existing === null && place.hidden > (target.hidden ?? 0))
    throw new ToolError('stale', 'the documents around the new one have changed since the plan was made', 'plan it again');

  async function make(): Promise<{ readonly id: string; readonly parents: readonly string[] }> {
    if (!daily || place.hidden > 0) {
      const made = await createAt(routes, notebook, shownPath, place.above);
      if (daily) await routes.setAttributes(made.id, dailyAttribute(target.date), NEVER);
      return made;
    }
    const id = await routes.createDailyNote(notebook, NEVER);
    // The kernel may have opened one at another path.
    if (!(await access.look([id], NEVER)).get(id)?.readable)
      throw new ToolError('stale', "today's note cannot be created", 'ask the user where to write instead');
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

function dailyAttribute(date: string): Readonly<Record<string, string>> {
  const day = date.replaceAll('-', '');
  return { [`custom-dailynote-${day}`]: day };
}
