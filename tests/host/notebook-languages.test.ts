import { afterAll, beforeAll, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const languages = () => bench.host.notes.languages(signal);
const guard = (id: string, value = 'none'): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });
const notebook = async (name: string): Promise<string> =>
  (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name })).notebook.id;

const ENGLISH = 'The nebula is seen with a telescope, and that was the point of the survey.';
const CHINESE = '间隔重复把复习分散到多天，记得更牢固。';
const KOREAN = '간격을 두고 복습하면 오래 기억한다.';

it('are told by name, of every notebook that may be read and of nothing hidden', async () => {
  await bench.document('/Nebula', ENGLISH);
  const chinese = await notebook('中文');
  await bench.api('/api/filetree/createDocWithMd', { notebook: chinese, path: '/复习', markdown: CHINESE });
  // What is written last does not crowd out the others.
  for (let index = 0; index < 3; index += 1) await bench.document(`/Long ${index}`, Array.from({ length: 80 }, () => ENGLISH).join('\n\n'));
  expect([...(await languages())].sort()).toEqual(['Chinese', 'English']);
  const hidden = await bench.document('/한국어', `${KOREAN}\n\n${KOREAN}`);
  const below = await bench.document('/한국어/아래', Array.from({ length: 80 }, () => KOREAN).join('\n\n'));
  const [shown = ''] = await bench.blocks(below);
  await guard(hidden);
  await bench.document('/Shows it', Array.from({ length: 9 }, () => `((${shown} '${KOREAN}'))`).join('\n\n'));
  expect([...(await languages())].sort()).toEqual(['Chinese', 'English']);
  await guard(hidden, '');
  expect([...(await languages())].sort()).toEqual(['Chinese', 'English', 'Korean']);
  bench.policy.setRight(chinese, 'none');
  expect(await languages()).not.toContain('Chinese');
});
