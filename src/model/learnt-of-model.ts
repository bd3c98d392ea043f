import { readAddress } from './server-address.ts';

/** What answers of a server taught of one of its models. Absent: nothing. */
export interface LearntOfModel {
  /** Tokens that a request may have. */
  readonly window?: number;
  /** It takes no tools: its server refused them in two turns, or says so itself. */
  readonly noTools?: 'refused' | 'stated';
  /** It refused stop sequences. */
  readonly noStop?: true;
}

/** Under which the window of a model is remembered: by the address as it is called, however it was typed. */
export const windowKey = (address: string, model: string): string => JSON.stringify([readAddress(address)?.base ?? address, model]);
