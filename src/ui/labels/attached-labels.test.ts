import { expect, it } from 'vitest';
import { contextChip, fileChip } from './attached-labels.ts';

const t = (key: string, values: object = {}): string => (key === 'language.tag' ? 'en' : `${key} ${JSON.stringify(values)}`);

it('what a later version attached is shown as a file, by its text or its size', () => {
  const file = { id: 'f', kind: 'video', name: 'talk.mp4', mime: 'video/mp4', size: 4096, asset: 'assets/talk.mp4' };
  expect(fileChip(file, t)).toMatchObject({ icon: 'iconFile', name: 'talk.mp4', size: expect.stringContaining('kilobytes {"n":4}') });
  const long = 'Hello there. '.repeat(1000);
  expect(fileChip({ ...file, text: long }, t)).toMatchObject({ text: long, size: expect.stringContaining('tokens') });
  expect(fileChip({ ...file, text: 'Hello there' }, t).size).toBe('');
  const note = { contextId: 'c', kind: 'whiteboard', id: 'x', title: 'Plan', text: 'Arrows' };
  expect(contextChip(note, t)).toMatchObject({ icon: 'iconFile', name: 'Plan', text: 'Arrows' });
});

it('what is attached of notes is shown as its words, without Markdown and ids', () => {
  const shown = (text: string) => contextChip({ contextId: 'c', kind: 'selection', id: 'x', title: 'Plan', text }, t).text;
  expect(shown('The **talk** ((20260110180000-home000 "at home"))\n{: id="20260110180000-home001"}')).toBe('The talk at home');
  expect(shown('2 notes:\n- Plan (20260110180000-home000): Life/Plan')).toBe('2 notes:\nPlan: Life/Plan');
});
