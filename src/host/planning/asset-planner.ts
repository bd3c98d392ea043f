import { type ChildNode, isTag } from 'domhandler';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { type BlockElement, freshId, isBlockElement } from '../blocks/block-dom.ts';
import { NoteAssets } from '../reading/note-assets.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { counted } from './structure-plan.ts';
import { BlocksPlan, chooseNotebooks } from './tag-planner.ts';

const MAX_BLOCKS = 1000;
const MAX_NAME = 120;
const SUFFIX = /(?:-\d{14}-[0-9a-z]{7})?(\.[^./]*)?$/u;
/** Signs that a link or a file system would trip over; SiYuan takes them out of the names of uploads too. */
const REFUSED = /[\\/:*?"'<>|~[\]()!`&{}=#%$;\p{Cc}]/u;

/** The path under the new name, which SiYuan's own kind of id makes unique. */
function renamedPath(path: string, asked: string, id: string): string {
  const at = path.lastIndexOf('/') + 1;
  const [suffix, ending = ''] = SUFFIX.exec(path) ?? [''];
  const name = asked.trim().toLowerCase().endsWith(ending.toLowerCase())
    ? asked.trim().slice(0, asked.trim().length - ending.length)
    : asked.trim();
  if (name === '' || name.startsWith('.') || name.length > MAX_NAME || REFUSED.test(name)) {
    const next = `give up to ${MAX_NAME} letters, digits, spaces, - and _, without the ending`;
    throw new ToolError('bad_value', `"${preview(asked, 60)}" cannot be the name of a file`, next);
  }
  if (name === path.slice(at, path.length - suffix.length)) throw new ToolError('no_change', 'the file has this name', 'give another name');
  return `${path.slice(0, at)}${name}-${id}${ending}`;
}

/** An address of the file, with what follows it: a page of a PDF, or a mark in it. */
const movedAddress = (address: string, from: string, to: string): string | undefined =>
  address === from || address.startsWith(`${from}?`) || address.startsWith(`${from}/`) ? to + address.slice(from.length) : undefined;

/** Addresses in a block's own text; returns how many were changed. */
function changeAddresses(block: BlockElement, from: string, to: string): number {
  let count = 0;
  const visit = (node: ChildNode): void => {
    if (!isTag(node) || isBlockElement(node)) return;
    for (const [name, value] of Object.entries(node.attribs)) {
      const moved = movedAddress(value, from, to);
      if (moved === undefined) continue;
      node.attribs[name] = moved;
      count += 1;
    }
    for (const child of node.children) visit(child);
  };
  for (const child of block.children) visit(child);
  return count;
}

/** Unchangeable users of the file, hidden notes too, keep the old one; a plan does not mention them. */
export async function planAssetRename(
  deps: EditPlannerDeps,
  request: Parameters<NotePlanner['planAssetRename']>[0],
  tool: string,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const { path, places, stored } = await new NoteAssets(deps).find(request.path, signal);
  const to = renamedPath(path, request.name, freshId(deps.clock, deps.random));
  if (places.length > MAX_BLOCKS)
    throw new ToolError('too_large', `more than ${MAX_BLOCKS} blocks use this file`, 'ask the user to rename it in SiYuan');
  const found = await deps.access.look(
    places.map(({ id }) => id),
    signal,
    'flushed',
  );
  const blocks = [...found.values()]
    .filter(({ readable }) => readable)
    .sort((one, other) => (`${one.wordPath} ${one.id}` < `${other.wordPath} ${other.id}` ? -1 : 1));
  const chosen = chooseNotebooks(await deps.access.notebooks(signal), blocks);
  const open = blocks.filter((block) => chosen.some((book) => book.id === block.notebook));
  const plan = new BlocksPlan(deps, (block) => changeAddresses(block, path, to));
  await plan.addBlocks(open, signal);
  const [notebook] = chosen;
  const document = plan.shown[0]?.document;
  if (!notebook || !document)
    throw new ToolError('bad_target', `"${path}" is in no text that could be changed`, 'ask the user to rename it in SiYuan');
  return deps.finish({
    tool,
    notebook,
    document,
    target: { kind: 'existing', documentId: document.id ?? '' },
    anchor: null,
    shown: plan.shown,
    prepared: plan.prepared,
    notices: counted([
      { code: 'old-file-kept', count: 1 },
      { code: 'read-only-kept', count: blocks.length - open.length },
      { code: 'referring-kept', count: plan.referring },
    ]),
    pushPosition,
    signal,
    copies: [{ from: stored.address, to: `${stored.folder}/${to}` }],
  });
}
