import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalDoor } from '../../../desktop/door/local-door.ts';
import { openProgramPipe } from '../../../desktop/processes/program-pipe.ts';
import { isSameHash, tokenHash } from '../../../desktop/same-token.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import type { OpenDoor } from '../guest-model.ts';
import { Guests, type GuestsDeps } from '../guests.ts';
import type { ToolDoor } from '../tool-door.ts';

/** A new folder with nothing in it, which the system removes at its time. */
const makeEmptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'marginalia-agent-'));

/** For one turn of one agent, which alone is given the token. */
export async function openAgentDoor(answer: ToolDoor): Promise<OpenDoor> {
  const token = randomBytes(32).toString('hex');
  const wanted = tokenHash(token);
  const clientOf = (given: string): true | null => isSameHash(tokenHash(given), wanted) || null;
  return { ...(await openLocalDoor({ port: 0, clientOf, answer })), token };
}

/** The agents of a list, as programs of this machine. */
export function createGuests(list: GuestsDeps['list']): Guests {
  return new Guests({
    ...{ list, version: '0.1.0', openDoor: openAgentDoor, folder: lazyPart(makeEmptyFolder) },
    startProgram:
      ({ command, args, env }, folder) =>
      (listener) =>
        openProgramPipe({ file: command, args, folder, environment: env }, listener),
  });
}
