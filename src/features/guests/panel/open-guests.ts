// A file of its own in the built plugin, loaded when an agent is asked: with it come the libraries of both protocols.

import { openProgramPipe } from '../../../desktop/processes/program-pipe.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import { makeEmptyFolder } from '../desktop/empty-folder.ts';
import { openLocalDoor } from '../desktop/open-door.ts';
import { Guests, type GuestsDeps } from '../guests.ts';

export function openGuests(list: GuestsDeps['list']): Guests {
  return new Guests({
    ...{ list, version: '0.1.0', openDoor: openLocalDoor, folder: lazyPart(makeEmptyFolder) },
    startProgram:
      ({ command, args, env }, folder) =>
      (listener) =>
        openProgramPipe({ file: command, args, folder, environment: env }, listener),
  });
}
