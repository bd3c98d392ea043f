export const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
};

/** Sets the clock of this process; without a zone it stays that of `TZ`, else the machine's. */
export function settleTimeZone(zone: string | undefined): void {
  if (zone !== undefined) process.env.TZ = zone;
}
