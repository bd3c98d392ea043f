/** Two hexadecimal digits a byte. */
export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** So many bytes that nobody can guess. `crypto.randomUUID` is absent over plain HTTP, `getRandomValues` is not. */
export const randomHex = (bytes: number): string => hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
