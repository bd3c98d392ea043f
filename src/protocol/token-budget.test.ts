import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { GROUP_DEFAULTS } from '../tools/groups/notes-groups.ts';
import { openNotes } from '../tools/testing/open-notes.ts';
import { PROTOCOLS } from './protocols.ts';

describe.each(PROTOCOLS)('the tools that are on by default, told in $id', ({ generateToolDefinitions }) => {
  it('cost at most 1.4 times their native definitions, titles included', () => {
    const { executor } = openNotes({ meaningServer: 'https://meaning.example/v1' });
    for (const { name } of executor.groups()) executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true);
    const definitions = executor.getEnabledToolDefinitions();
    const methods = definitions.map((definition) => ({ definition, title: definition.function.name.replaceAll('_', ' ') }));
    const told = generateToolDefinitions([{ toolId: 'all', toolName: 'All', methods }]);
    // Native ones are 8 % shorter than they were: they are sent without limits (portable-schema.ts).
    expect(estimateTokenCount(told) / estimateTokenCount(JSON.stringify(definitions))).toBeLessThanOrEqual(1.4);
  });
});
