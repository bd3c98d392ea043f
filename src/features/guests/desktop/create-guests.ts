import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProgramPipe } from '../../../desktop/processes/program-pipe.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import { Guests, type GuestsDeps } from '../guests.ts';
import { openLocalDoor } from './open-door.ts';

/** A new folder with nothing in it, which the system removes at its time. */
const makeEmptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'marginalia-agent-'));

/** The agents of a list, as programs of this machine. */
export function createGuests(list: GuestsDeps['list']): Guests {
  return new Guests({
    ...{ list, version: '0.1.0', openDoor: openLocalDoor, folder: lazyPart(makeEmptyFolder) },
    startProgram:
      ({ command, args, env }, folder) =>
      (listener) =>
        openProgramPipe({ file: command, args, folder, environment: env }, listener),
  });
}
