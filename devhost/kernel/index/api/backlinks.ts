import { type RouteTable, textField } from '../../router.ts';
import { type LinkQuery, linkingDocuments, mentioningDocuments } from '../backlinks.ts';
import { text } from '../search/found-block.ts';

const UPDATED_DESCENDING = 3;

export const backlinkRoutes: RouteTable = {
  /** Without an id the kernel answers null; an id that is not indexed has no links. */
  '/api/ref/getBacklink2': (body, { kernel }) => {
    const id = textField(body, 'id');
    if (id === undefined) return null;
    const k = textField(body, 'k') ?? '';
    const mk = textField(body, 'mk') ?? '';
    const block = kernel.index.select('SELECT box FROM blocks WHERE id = ?', id)[0];
    const notebookNames = new Map(kernel.notebooks.list().map((notebook) => [notebook.id, notebook.conf.name]));
    const query = (keyword: string, sort: unknown): LinkQuery => {
      const mode = Number(sort ?? UPDATED_DESCENDING);
      return { id, keyword, sort: Number.isInteger(mode) ? mode : 0, notebookNames };
    };
    const links = linkingDocuments(kernel.index, query(k, body.sort));
    const mentions = mentioningDocuments(kernel.index, query(mk, body.mSort));
    return {
      backlinks: links.documents,
      linkRefsCount: links.blocks,
      backmentions: mentions.documents,
      mentionsCount: mentions.blocks,
      k,
      mk,
      box: block ? text(block, 'box') : '',
    };
  },
};
