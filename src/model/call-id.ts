const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A new id for a call: nine letters and digits, the one form that every server takes back. */
export function newCallId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
