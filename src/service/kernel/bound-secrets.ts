import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { DeviceKeys, PROGRAM } from '../../host/settings/device-keys.ts';
import { describeThrown } from '../../tools/contract/errors.ts';
import { UsageError } from '../contract/errors.ts';

const fileFormat = v.object({ schema: v.literal(1), places: v.record(v.string(), v.string()) });
export const SEARCH_KEY = 'MARGINALIA_SEARCH_KEY';
const FILE = 'secret-places.json';

/** A variable of the environment, and the place that it may go to from now on. */
export interface AllowedSecret {
  readonly variable: string;
  readonly place: string;
}

/**
 * Secrets of the environment. The settings, which are synced, name where they go: each goes only to the place that it went to first
 * (`DeviceKeys`), which a file of the service's folder holds.
 */
export class BoundSecrets {
  private readonly file: string;
  private places: Readonly<Record<string, string>>;
  private readonly keys: DeviceKeys;

  /** Throws UsageError if the file cannot be read: secrets would go anywhere. */
  constructor(folder: string, environment: Readonly<Record<string, string | undefined>>, allowed: readonly AllowedSecret[] = []) {
    this.file = join(folder, FILE);
    this.places = existsSync(this.file) ? this.read() : {};
    this.keys = new DeviceKeys({
      get: (name) => (name.startsWith('origin:') ? this.places[name] : environment[name]),
      set: (name, place) => this.save({ ...this.places, [name]: place }),
    });
    for (const { variable, place } of allowed) this.keys.bind(variable, place);
  }

  /** The value of a variable for a place: an address, or `program:` with the command; undefined if it has none, or for another place. */
  get(variable: string, place: string): string | undefined {
    return this.keys.get(variable, place, true);
  }

  /** Why a secret does not go to a place, with what to do; undefined if it does. */
  withheld(variable: string, place: string): string | undefined {
    const before = this.keys.heldFor(variable, place);
    if (before === undefined) return undefined;
    const now = place.startsWith(PROGRAM) ? place : new URL(place).origin;
    return `${variable} was given for ${before}, and the settings would send it to ${now} now → if that is right, start the service with --allow-key '${variable}=${now}'`;
  }

  private read(): Readonly<Record<string, string>> {
    try {
      return v.parse(fileFormat, JSON.parse(readFileSync(this.file, 'utf8'))).places;
    } catch {
      throw new UsageError(
        `bad_secret_places: ${this.file} cannot be read → correct it, or delete it where the settings can be trusted as they are`,
      );
    }
  }

  private save(places: Readonly<Record<string, string>>): void {
    // Whole or not at all.
    try {
      writeFileSync(`${this.file}.new`, `${JSON.stringify({ schema: 1, places }, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      throw new UsageError(`bad_data: ${this.file} cannot be written (${describeThrown(error)}) → make room`);
    }
    this.places = places;
  }
}
