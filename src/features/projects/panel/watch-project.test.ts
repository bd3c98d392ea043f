import { expect, it } from 'vitest';
import { Listeners } from '../../../tools/util/notify.ts';
import { FakeController } from '../../../ui/testing/fake-controller.ts';
import type { ShownProject } from '../projects-port.ts';
import { watchProject } from './watch-project.ts';

it('says again of a chat what its project is when that was changed', async () => {
  const controller = new FakeController({ project: 'p' });
  const changes = new Listeners<[]>();
  let problems: ShownProject['problems'] = [];
  const port = { list: async (): Promise<readonly ShownProject[]> => [{ id: 'p', title: 'Lamps', settings: { schema: 1 }, problems }] };
  const said: (string | undefined)[] = [];
  const stop = watchProject({ frame: async () => ({ controller }), port, changes, t: (key) => key }, (now) => said.push(now?.label));
  await expect.poll(() => said.length).toBe(1);
  problems = ['left'];
  changes.call();
  await expect.poll(() => said.length).toBe(2);
  controller.set({ project: undefined });
  await expect.poll(() => said.at(-1)).toBeUndefined();
  stop();
  expect(changes.size).toBe(0);
});

it('says nothing of a look that began before a change and ended after it', async () => {
  const controller = new FakeController({ project: 'p' });
  const changes = new Listeners<[]>();
  const project = (problems: ShownProject['problems']): readonly ShownProject[] => [
    { id: 'p', title: 'Lamps', settings: { schema: 1 }, problems },
  ];
  const lists: ((list: readonly ShownProject[]) => void)[] = [];
  const port = { list: () => new Promise<readonly ShownProject[]>((resolve) => lists.push(resolve)) };
  const said: (string | undefined)[] = [];
  const stop = watchProject({ frame: async () => ({ controller }), port, changes, t: (key) => key }, (now) => said.push(now?.label));
  await expect.poll(() => lists.length).toBe(1);
  changes.call();
  await expect.poll(() => lists.length).toBe(2);
  lists[1]?.(project(['left']));
  await expect.poll(() => said.length).toBe(1);
  lists[0]?.(project([]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toHaveLength(1);
  stop();
});
