import { afterEach, describe, expect, it } from 'vitest';
import { OwnAttributes } from '../../src/host/access/own-attributes.ts';
import { CITES_ATTRIBUTE } from '../../src/host/blocks/source-attributes.ts';
import { codeOf, noteLabels, signal, steady, useBench } from './support.ts';

const bench = useBench('write');
const own = () => new OwnAttributes({ routes: bench.host.routes });
afterEach(() => own().remove(signal));

const OTHERS = { 'custom-ai-access': 'read', 'custom-marginalia': 'mine', 'custom-mine': 'x "q"', memo: 'm', bookmark: 'b' };

/** A note with a chat in it, one written block, and attributes of others. */
async function notes(path: string) {
  const messages = ['hello', 'a **marked** answer'].map((markdown, at) => ({
    ...{ nodeId: `n${at}`, parentId: at === 0 ? null : 'n0', role: at === 0 ? ('user' as const) : ('assistant' as const), markdown },
  }));
  const target = { notebook: bench.notebook, path };
  const { documentId } = await bench.host.chatDocument.save({ target, sessionId: 's1', messages, labels: noteLabels }, signal);
  const other = await bench.document(`${path} other`, 'written\n\nplain');
  const [written = '', plain = ''] = await bench.blocks(other);
  await bench.api('/api/attr/setBlockAttrs', { id: written, attrs: { ...OTHERS, 'custom-marginalia-source': 'a/b/c' } });
  await bench.api('/api/attr/setBlockAttrs', { id: plain, attrs: OTHERS });
  return { documentId, other, written, plain };
}

const withoutOurs = (dom: string): string => steady(dom).replace(/ ?custom-marginalia-[\w-]+="[^"]*"/g, '');

describe('attributes of ours in notes', () => {
  it('are counted with the notes that they are in, and taken off: nothing else changes', async () => {
    const { documentId, other, written, plain } = await notes('/Bound');
    expect(await own().count(signal)).toEqual({ blocks: 5, notes: 2 });
    const before = await Promise.all([documentId, other].map((id) => bench.dom(id)));
    const markdown = await bench.markdown(documentId);
    await own().remove(signal);
    expect(await own().count(signal)).toEqual({ blocks: 0, notes: 0 });
    for (const [at, id] of [documentId, other].entries()) expect(steady(await bench.dom(id))).toBe(withoutOurs(before[at] ?? ''));
    for (const id of [written, plain]) expect(await bench.api('/api/attr/getBlockAttrs', { id })).toMatchObject(OTHERS);
    // What was said can be read on.
    expect(await bench.markdown(documentId)).toEqual(markdown);
    expect(markdown.join('\n')).toContain('a **marked** answer');
  });

  it('take the words of other notes out of what SiYuan exports', async () => {
    const id = await bench.document('/Cites', 'We launch in May.');
    const [block = ''] = await bench.blocks(id);
    const cites = JSON.stringify([['20260101000000-abcdefg', '01234567', '', id, bench.notebook, 'words of another note']]);
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { [CITES_ATTRIBUTE]: cites } });
    expect(await bench.dom(id)).toContain('words of another note');
    expect((await bench.markdown(id)).join('')).not.toContain('words of another note');
    expect(await own().count(signal)).toEqual({ blocks: 1, notes: 1 });
    await own().remove(signal);
    expect(await bench.dom(id)).not.toContain('words of another note');
    expect(await bench.api('/api/attr/getBlockAttrs', { id: block })).not.toHaveProperty(CITES_ATTRIBUTE);
  });

  it('are named where some could not be taken off, and the next press takes them', async () => {
    await notes('/Failing');
    let left = 2;
    bench.hooks = {
      instead: (path) => (path === '/api/attr/setBlockAttrs' && left-- <= 0 ? Response.json({ code: -1, msg: 'locked' }) : undefined),
    };
    expect(await codeOf(own().remove(signal))).toBe('kernel_refused');
    bench.hooks = {};
    expect(await own().count(signal)).toMatchObject({ blocks: 3 });
    await own().remove(signal);
    expect(await own().count(signal)).toMatchObject({ blocks: 0 });
  });

  it('are gone of more blocks than one portion holds', async () => {
    const id = await bench.document('/Many', Array.from({ length: 7 }, (_, at) => `p${at}`).join('\n\n'));
    const blocks = await bench.blocks(id);
    await bench.api('/api/attr/batchSetBlockAttrs', {
      blockAttrs: blocks.map((block) => ({ id: block, attrs: { 'custom-marginalia-source': 'a/b/c' } })),
    });
    expect(await own().count(signal)).toEqual({ blocks: 7, notes: 1 });
    await own().remove(signal, 3);
    expect(await own().count(signal)).toEqual({ blocks: 0, notes: 0 });
  });
});
