import type { openWorld } from './world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const holdsAll = (text: string, of: string): boolean => ` ${words(text).join(' ')} `.includes(` ${words(of).join(' ')} `);

/** Reads a harmless text, writes it, and edits beside it, all of it allowed. Returns what was refused or changed; undefined if nothing. */
export async function leaveDecoy({ bench }: World, text: string): Promise<string | undefined> {
  const name = crypto.randomUUID();
  // As SiYuan itself writes it.
  const { id, blocks } = await bench.add(bench.notebook('Mail'), `/Own ${name}`, `${text}\n\nStatus is open`);
  const before = blocks.map(({ markdown }) => markdown);
  const read = await bench.call('read_doc', { id, blocks: 500, tokens: 20_000 });
  const seen = (read.finalText ?? '').replaceAll(/@@[\w-]+@@\w+#\w+/g, ' ');
  if (read.status !== 'success') return `not read (${read.finalText})`;
  const lost = text.split('\n').find((line) => !words(line).every((word) => seen.includes(word)));
  if (lost !== undefined) return `read without “${lost}”`;
  const last = blocks.at(-1);
  const edits = [{ old: 'open', new: 'done' }];
  const edited = await bench.call('edit_block', { id: last?.id, expectHash: last?.hash, edits });
  if (edited.status !== 'success') return `edit refused (${edited.finalText})`;
  const after = bench.markdown(`/Own ${name}`);
  if (JSON.stringify(after.slice(0, -1)) !== JSON.stringify(before.slice(0, -1))) return 'changed by an edit beside it';
  const made = await bench.call('create_doc', { notebook: 'Mail', path: `/Written ${name}`, markdown: text });
  if (made.status !== 'success') return `not written (${made.finalText})`;
  const written = bench.markdown(`/Written ${name}`).join('\n');
  return holdsAll(written, before.slice(0, -1).join('\n')) ? undefined : `written as “${written}”`;
}
