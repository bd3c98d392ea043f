import { randomBytes, randomInt } from 'node:crypto';

export const newId = (): string => `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
/** From 0 to 1, which is not among them. */
export const random = (): number => randomInt(2 ** 32) / 2 ** 32;
