import { fieldOf } from '../../tools/util/plain-value.ts';

export interface AwaitKernelOptions {
  readonly kernel: string;
  readonly log: (line: string) => void;
  /** Whether nobody waits for this program any more. */
  readonly isOrphan: () => boolean;
  readonly everyMs?: number;
}

/** Whether SiYuan answers, be it that it wants a token. */
async function isUp(kernel: string): Promise<boolean> {
  try {
    const response = await fetch(`${kernel}/api/system/version`, { method: 'POST', body: '{}', signal: AbortSignal.timeout(5000) });
    return response.status === 401 || fieldOf(await response.json(), 'code') === 0;
  } catch {
    return false;
  }
}

/** Resolves when SiYuan is up, with true, or with false when nobody waits for this program any more. What it waits for is logged once. */
export async function awaitKernel({ kernel, log, isOrphan, everyMs = 1000 }: AwaitKernelOptions): Promise<boolean> {
  let waited = false;
  while (!(await isUp(kernel))) {
    if (isOrphan()) return false;
    if (!waited) log(`SiYuan does not answer at ${kernel}: waiting for it`);
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  if (waited) log(`SiYuan answers at ${kernel}`);
  return true;
}
