import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder with nothing in it, which the system removes at its time. */
export const makeEmptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'marginalia-agent-'));
