import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { errorText, toToolError } from '../../../tools/contract/errors.ts';
import { blockUri } from './call-result.ts';
import type { GuardedCalls } from './guarded-calls.ts';

const MARKDOWN = 'text/markdown';
const BLOCK = /^siyuan:\/\/blocks\/(\d{14}-[a-z0-9]{7})$/;
const NOTE = /^siyuan:\/\/notes(\/.+)$/;

const missing = (uri: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no such resource', { uri: uri.slice(0, 300) });

function decodedPath(path: string): string | null {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return null;
  }
}

/** The block or note that an address names; null if it names none. */
function placeOf(uri: string): { readonly id: string } | { readonly path: string } | null {
  const id = BLOCK.exec(uri)?.[1];
  if (id !== undefined) return { id };
  const path = decodedPath(NOTE.exec(uri)?.[1] ?? '');
  return path ? { path } : null;
}

const TEMPLATES = [
  { uriTemplate: 'siyuan://blocks/{id}', name: 'block', title: 'Block or note by id', mimeType: MARKDOWN },
  { uriTemplate: 'siyuan://notes{+path}', name: 'note', title: 'Note by path, such as /Projects/Apollo', mimeType: MARKDOWN },
];

/** Notes as resources: the recent ones are listed, all can be read. */
export function addResources(server: Server, calls: () => GuardedCalls): void {
  server.setRequestHandler('resources/list', async (_request, { mcpReq }) => {
    const notes = await calls().recentNotes(mcpReq.signal);
    return { resources: notes.map(({ id, title, path }) => ({ uri: blockUri(id), name: title, description: path, mimeType: MARKDOWN })) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const place = placeOf(uri);
    if (!place) throw missing(uri);
    const refused = (why: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, why, { uri });
    const { status, text } = await calls()
      .read(place, mcpReq.signal)
      .catch((error) => {
        throw refused(errorText(toToolError(error)));
      });
    if (status !== 'success') throw refused(text);
    return { contents: [{ uri, mimeType: MARKDOWN, text }] };
  });
}
