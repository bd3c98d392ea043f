import * as v from 'valibot';
import { timeZone } from '../../composition/system-clock.ts';
import type { KernelClient } from '../../host/kernel/kernel-client.ts';

/** Asked first, so that an offset that many zones have gets a name that people know. */
const USUAL = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/Chicago',
];
const DAY_MS = 24 * 60 * 60 * 1000;

export const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
};

/** `+0800` */
function offsetsIn(zone: string, times: readonly number[]): readonly string[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return times.map((time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? '+0000' : name.replace('GMT', '').replace(':', '');
  });
}

/** A zone that has these offsets (`+0800`) at these times; undefined if there is none. */
export function zoneWith(offsets: readonly string[], times: readonly number[]): string | undefined {
  const wanted = offsets.join();
  const zones = [timeZone(), ...USUAL, ...Intl.supportedValuesOf('timeZone')];
  return zones.find((zone) => offsetsIn(zone, times).join() === wanted);
}

/** The zone of the clock that SiYuan writes days by; undefined if it does not say. */
async function zoneOfKernel(client: KernelClient, now: number, signal: AbortSignal): Promise<string | undefined> {
  // Twice a month through a year: where clocks are changed shows which zone it is.
  const times = Array.from({ length: 24 }, (_, index) => now + index * 15 * DAY_MS);
  const seconds = times.map((time) => Math.floor(time / 1000)).join(' ');
  const template = `{{ range list ${seconds} }}{{ date "-0700" . }},{{ end }}`;
  const text = await client.call('/api/template/renderSprig', { template }, (data) => v.parse(v.string(), data), signal).catch(() => '');
  const offsets = text.split(',').slice(0, -1);
  return offsets.length === times.length ? zoneWith(offsets, times) : undefined;
}

/** Sets the clock of this process: to the zone that was given, else that of `TZ`, else SiYuan's. */
export async function settleTimeZone(
  { given, client, now }: { readonly given: string | undefined; readonly client: KernelClient; readonly now: number },
  signal: AbortSignal,
): Promise<void> {
  const zone = given ?? (process.env.TZ ? undefined : await zoneOfKernel(client, now, signal));
  if (zone !== undefined) process.env.TZ = zone;
}
