import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedOnce } from './asked-once.ts';
import { createKernelClient } from './kernel-client.ts';
import { createKernelRoutes } from './kernel-routes.ts';

const open = new AbortController().signal;
const lost: unknown[] = [];
const onLost = (error: unknown): void => void lost.push(error);
beforeAll(() => void process.on('unhandledRejection', onLost));
afterAll(() => void process.off('unhandledRejection', onLost));

/** A kernel that is away until it is told to answer. */
function kernel() {
  let isAway = true;
  let requests = 0;
  const fetch = async (): Promise<Response> => {
    requests += 1;
    if (isAway) throw new TypeError('failed');
    return new Response(JSON.stringify({ code: 0, msg: '', data: { a: { title: 'A' }, b: { title: 'B' } } }));
  };
  return {
    routes: createKernelRoutes(createKernelClient({ baseUrl: 'http://k', token: 'T', fetch })),
    answer: () => {
      isAway = false;
    },
    count: () => requests,
  };
}

describe('the kernel for one reading', () => {
  it('asks about many ids in one request, asks again after a failure, and leaves no rejection unhandled', async () => {
    const { routes, answer, count } = kernel();
    const once = askedOnce(routes);
    await expect(once.attributesOf(['a', 'b', 'c'], open)).rejects.toThrow('SiYuan cannot be reached');
    await new Promise(setImmediate);
    expect(lost).toEqual([]);
    const failed = count();
    answer();
    expect(await once.attributesOf(['a', 'c'], open)).toEqual({ a: { title: 'A' } });
    await once.attributesOf(['a'], open);
    expect(count()).toBe(failed + 1);
  });
});
