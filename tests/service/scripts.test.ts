// A script of the person's own through the real service.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventsOf, nextEvent, startServiceBench } from './support.ts';

it('is a group of tools that is off, and is shown whole before its first run', async () => {
  const bench = await startServiceBench({ scripts: join(import.meta.dirname, '../../docs/guide') });
  try {
    bench.model.push({ text: 'Hello.' });
    await (await bench.send({ message: 'Hello', stream: false })).json();
    expect(bench.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain('script_table_to_markdown');
    await bench.settings({ groups: { 'script:table': true } });
    bench.model.push({ calls: [{ name: 'script_table_to_markdown', args: { text: 'a,b\n1,2' } }] }, { text: 'Done.' });
    const events = eventsOf(await bench.send({ message: 'Make a table.' }));
    const asked = await nextEvent(events, 'approval_request');
    expect(asked.data).toMatchObject({ program: { file: 'table.py', isNew: true, code: expect.stringContaining('import csv') } });
    await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'approve' });
    expect((await nextEvent(events, 'tool_complete')).data.result).toContain('| a | b |');
    await nextEvent(events, 'done');
  } finally {
    await bench.close();
  }
});
