import { createHash, timingSafeEqual } from 'node:crypto';

/** Hexadecimal SHA-256. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** In a time that reveals nothing about them. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
