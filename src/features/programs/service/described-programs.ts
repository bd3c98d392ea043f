// The routes of programs: MCP itself, and the tokens of its clients.

import * as v from 'valibot';
import { text, time } from '../../../service/http/answers.ts';
import type { RouteDescription } from '../../../service/http/served-feature.ts';
import { NOTEBOOK_RIGHTS } from '../../../tools/contract/notebook-right.ts';
import { rightsFormat } from './mcp-clients.ts';

const client = {
  id: text,
  name: text,
  writes: v.boolean(),
  elicitation: v.boolean(),
  notebooks: v.optional(v.record(v.string(), v.picklist(NOTEBOOK_RIGHTS))),
  project: v.optional(v.pipe(text, v.description('Of its note'))),
  created: time,
};

export const PROGRAM_ROUTES: readonly RouteDescription[] = [
  { method: 'POST', path: '/mcp', summary: 'The tools by the Model Context Protocol (streamable HTTP): one JSON-RPC message' },
  { method: 'GET', path: '/mcp', summary: 'What the server sends in an MCP session', events: true },
  { method: 'DELETE', path: '/mcp', summary: 'Ends an MCP session' },
  {
    method: 'GET',
    path: '/api/mcp/clients',
    summary: 'The MCP clients that have a token of their own',
    answer: v.array(v.object(client)),
  },
  {
    method: 'POST',
    path: '/api/mcp/clients',
    summary: 'Makes a token for an MCP client; it is shown only here',
    body: rightsFormat,
    status: '201',
    answer: v.object({ ...client, token: v.pipe(text, v.description('Never shown again')) }),
    example: { body: { name: 'Claude Desktop', writes: true, notebooks: { '20260101120000-abcdefg': 'write' } } },
  },
  { method: 'DELETE', path: '/api/mcp/clients/{id}', summary: 'Takes a token away', answer: v.object({ removed: v.boolean() }) },
];
