import type { Clock } from '../../tools/contract/ports.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** The machine's time and its calendar. */
export const systemClock: Clock = {
  now: () => Date.now(),
  today() {
    const now = new Date();
    return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  },
};

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
