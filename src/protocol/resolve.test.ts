import { describe, expect, it } from 'vitest';
import type { DefinedMethod, ToolDefinitionInput } from './contract.ts';
import { PROTOCOLS, protocolById } from './protocols.ts';
import { resolveRequest, resolveToolName } from './resolve.ts';

const method = (name: string, command?: string, properties: object = {}): DefinedMethod => ({
  definition: { type: 'function', function: { name, description: '', parameters: { type: 'object', properties } } },
  ...(command === undefined ? {} : { command }),
});
const group = (toolId: string, ...methods: DefinedMethod[]): ToolDefinitionInput => ({ toolId, toolName: toolId, methods });

const KNOWN = [
  group('search', method('search_notes', 'searchNotes'), method('recent_docs', 'recent')),
  group('my_files', method('my_files_list', 'list'), method('read'), method('run', 'run', { command: { type: 'string' } })),
  group('vars', method('ReadVar', 'recent')),
  group('files', method('my', 'x')),
];

describe('the tool that a name means', () => {
  it.each([
    ['search_notes', 'search_notes'],
    [' search_notes\n', 'search_notes'],
    // A whole registered name wins over group and method.
    ['my_files_list', 'my_files_list'],
    ['searchNotes', 'search_notes'],
    ['search_searchNotes', 'search_notes'],
    ['my_files_read', 'read'],
    ['vars_ReadVar', 'ReadVar'],
    ['vars_recent', 'ReadVar'],
    ['recent', undefined],
    ['search_read', undefined],
    ['Search_notes', 'search_notes'],
    ['functions.search_notes:0', 'search_notes'],
    ['', undefined],
    ['_', undefined],
  ])('%s → %s', (name, tool) => {
    expect(resolveToolName(name, KNOWN)).toBe(tool);
  });

  it.each([
    ['search', { command: 'searchNotes', query: 'x' }, 'search_notes', { query: 'x' }],
    ['search_notes', { command: 'searchNotes' }, 'search_notes', {}],
    ['search_notes', { command: 'recent' }, 'search_notes', { command: 'recent' }],
    ['Notes', { command: 'recent_docs' }, 'recent_docs', {}],
    ['run', { command: 'run' }, 'run', { command: 'run' }],
    ['nothing', { command: 'nothing' }, 'nothing', { command: 'nothing' }],
    ['search_notes', { command: 1 }, 'search_notes', { command: 1 }],
  ])('%s with %j', (toolName, args, tool, rest) => {
    expect(resolveRequest({ toolName, args }, KNOWN)).toEqual({ toolName: tool, args: rest });
  });
});

it('each protocol is found by its id', () => {
  for (const protocol of PROTOCOLS) expect(protocolById(protocol.id)).toBe(protocol);
  expect(() => protocolById('native')).toThrow('there is no protocol "native"');
});
