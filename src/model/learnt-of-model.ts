import { readAddress } from './server/server-address.ts';

/** What a server's answers revealed about one of its models. Absent: nothing. */
export interface LearntOfModel {
  readonly window?: number;
  /** It does not accept tools: its server refused them in two turns, or says so itself. */
  readonly noTools?: 'refused' | 'stated';
  readonly noStop?: true;
}

/** The key for the window of a model: by the address as it is called, however it was typed. */
export const windowKey = (address: string, model: string): string => JSON.stringify([readAddress(address)?.base ?? address, model]);
