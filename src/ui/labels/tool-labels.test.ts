import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import { openNotes } from '../../tools/testing/open-notes.ts';
import { NOTE_SAMPLES, TOOL_NOTEBOOKS, TOOL_SAMPLES } from '../../tools/testing/tool-samples.ts';
import { createTranslate } from '../ports/i18n.ts';
import { argumentInShort, groupName, toolIcon, toolName, workKind } from './tool-labels.ts';

const t = createTranslate(english);
const bench = openNotes({ notebooks: TOOL_NOTEBOOKS });
const groups = bench.executor.groups();
const keys: Readonly<Record<string, string>> = english;

describe('words for tools', () => {
  it('has a name of its own for every tool and group there is, and an icon', () => {
    const tools = groups.flatMap((group) => group.tools.map(({ name }) => name));
    expect(tools.length).toBeGreaterThan(30);
    expect(tools.filter((name) => toolName(name, t) !== keys[`tool.${name}`])).toEqual([]);
    expect(groups.map(({ name }) => name).filter((name) => groupName(name, t) !== keys[`group.${name}`])).toEqual([]);
    const plain = tools.filter((name) => toolIcon(name) === 'iconMarginaliaTools');
    expect(plain).toEqual(['calculate']);
  });

  it('counts as writing what writes notes, and nothing else of the tools over notes', () => {
    const kinds = NOTE_SAMPLES.map((sample) => {
      const args = sample.good(bench);
      return [
        sample.tool,
        args.op ?? args.format,
        workKind({ tool: sample.tool, args }) === 'write',
        bench.executor.effectOf(sample.tool, args) === 'write',
      ];
    });
    expect(kinds.filter(([, , said, writes]) => said !== writes)).toEqual([]);
  });

  it('shows an argument in short that is no bare id', () => {
    for (const { tool, good } of TOOL_SAMPLES) expect(argumentInShort(tool, good(bench))).not.toMatch(/\d{14}-[0-9a-z]{7}/u);
    // Nor is there a hash, which says as little, where nothing else was given.
    expect(argumentInShort('edit_block', { id: '20260110180000-home000', expectHash: '1a2b3c4d' })).toBe('');
    expect(argumentInShort('rewrite_doc', { id: '20260110180000-home000', markdown: '# **Soup** #recipe#' })).toBe('Soup recipe');
    expect(argumentInShort('tags', { op: 'rename', label: 'space', to: 'x' })).toBe('space');
    expect(argumentInShort('organize_doc', { op: 'rename', ids: ['x'], target: 'Artemis' })).toBe('Artemis');
    expect(argumentInShort('attributes', { op: 'set', ids: ['x'], attrs: { memo: 'y' } })).toBe('{"memo":"y"}');
  });
});
