export interface ComputerPort {
  /** Where tools keep files while no folder is named. */
  readonly filesFolder: string;
}

export const COMPUTER: { readonly name: string; readonly type?: ComputerPort } = { name: 'computer' };
