import { ApiError } from '../api-error.ts';
import { type AttributeView, newAttributeView, rowValues } from '../databases/attribute-view.ts';
import { shownView } from '../databases/perform.ts';
import { databaseOf, type RenderSources, renderTable, withBoundTexts } from '../databases/render.ts';
import { boundText } from '../databases/rows.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody, RouteTable } from '../router.ts';
import { transactionOf } from '../transactions/engine.ts';
import { findBlock, type KernelNode, walk } from '../tree/node.ts';
import { optionalText, text, textList } from './parameters.ts';

function nodeOf(kernel: Kernel, id: string): KernelNode | undefined {
  const place = kernel.documents.block(id);
  const document = place && kernel.documents.read(place.rootId);
  return document && findBlock(document.root, id)?.node;
}

function load(kernel: Kernel, id: string): AttributeView | undefined {
  const view = kernel.attributeViews.load(id);
  const textOf = (blockId: string): string | undefined => {
    const node = nodeOf(kernel, blockId);
    return node && boundText(node, id);
  };
  return view && withBoundTexts(view, textOf);
}

function made(kernel: Kernel, id: string): AttributeView {
  const view = newAttributeView(id);
  kernel.attributeViews.save(view);
  return view;
}

const numberIn = (body: RequestBody, key: string, otherwise: number): number =>
  typeof body[key] === 'number' ? (body[key] as number) : otherwise;

function render(body: RequestBody, kernel: Kernel) {
  const id = text(body, 'id');
  const view = load(kernel, id) ?? (body.createIfNotExist === false ? undefined : made(kernel, id));
  const shown = view && shownView(view, nodeOf(kernel, optionalText(body, 'blockID')), optionalText(body, 'viewID'));
  if (!view || !shown) throw new ApiError(-1, 'attribute view not found');
  const sources: RenderSources = { block: (blockId) => nodeOf(kernel, blockId), view: (other) => load(kernel, other) };
  const part = { query: optionalText(body, 'query'), page: numberIn(body, 'page', 1), pageSize: numberIn(body, 'pageSize', -1) };
  return renderTable(view, shown, part, sources);
}

/** Blocks that show a database, in every open notebook. */
function blocksOf(kernel: Kernel, id: string): string[] {
  const found: string[] = [];
  for (const { id: rootId } of kernel.documents.all()) {
    const document = kernel.documents.read(rootId);
    if (document)
      walk(document.root, (node) => {
        if (databaseOf(node) === id && node.ID) found.push(node.ID);
        return undefined;
      });
  }
  return found;
}

function perform(kernel: Kernel, operation: { readonly action: string } & Readonly<Record<string, unknown>>): null {
  const outcome = kernel.transactions.perform(transactionOf(operation));
  if ('failed' in outcome) throw new ApiError(-1, outcome.failed);
  return null;
}

function changeView(body: RequestBody, kernel: Kernel, change: (shown: AttributeView['views'][number], data: never[]) => void): null {
  const view = kernel.attributeViews.load(text(body, 'avID'));
  const shown = view && shownView(view, nodeOf(kernel, text(body, 'blockID')));
  if (!view || !shown) throw new ApiError(-1, 'attribute view not found');
  change(shown, body.data as never[]);
  kernel.attributeViews.save(view);
  return null;
}

const root = (filters: never[]) => [{ column: '', operator: '', value: null, combination: 'and', filters }];

export const databaseRoutes: RouteTable = {
  '/api/av/renderAttributeView': (body, { kernel }) => render(body, kernel),
  '/api/av/getAttributeView': (body, { kernel }) => ({ av: load(kernel, text(body, 'id')) ?? null }),
  '/api/av/getAttributeViewKeysByAvID': (body, { kernel }) => load(kernel, text(body, 'avID'))?.keyValues.map(({ key }) => key) ?? null,
  '/api/av/getMirrorDatabaseBlocks': (body, { kernel }) => ({
    refDefs: blocksOf(kernel, text(body, 'avID')).map((refID) => ({ refID, defIDs: [] })),
  }),

  '/api/av/getAttributeViewItemIDsByBoundIDs': (body, { kernel }) => {
    const view = load(kernel, text(body, 'avID'));
    const items = new Map((view ? rowValues(view) : []).map(({ blockID, block }) => [block?.id ?? '', blockID]));
    return Object.fromEntries(textList(body, 'blockIDs').map((id) => [id, items.get(id) ?? '']));
  },

  '/api/av/getAttributeViewBoundBlockIDsByItemIDs': (body, { kernel }) => {
    const view = load(kernel, text(body, 'avID'));
    const blocks = new Map((view ? rowValues(view) : []).map(({ blockID, block }) => [blockID, block?.id ?? '']));
    return Object.fromEntries(textList(body, 'itemIDs').map((id) => [id, blocks.get(id) ?? '']));
  },

  '/api/av/addAttributeViewBlocks': {
    writes: true,
    handle: (body, { kernel }) => {
      const [avID, blockID, previousID] = [text(body, 'avID'), optionalText(body, 'blockID'), optionalText(body, 'previousID')];
      return perform(kernel, { action: 'insertAttrViewBlock', avID, blockID, previousID, srcs: body.srcs });
    },
  },

  '/api/av/addAttributeViewKey': {
    writes: true,
    handle: (body, { kernel }) =>
      perform(kernel, {
        ...{ action: 'addAttrViewCol', avID: text(body, 'avID'), id: text(body, 'keyID'), name: text(body, 'keyName') },
        ...{ type: text(body, 'keyType'), data: text(body, 'keyIcon'), previousID: text(body, 'previousKeyID') },
      }),
  },

  '/api/av/setAttrViewFilters': {
    writes: true,
    handle: (body, { kernel }) => changeView(body, kernel, (shown, data) => Object.assign(shown, { filters: root(data) })),
  },
  '/api/av/setAttrViewSorts': {
    writes: true,
    handle: (body, { kernel }) => changeView(body, kernel, (shown, data) => Object.assign(shown, { sorts: data })),
  },
};
