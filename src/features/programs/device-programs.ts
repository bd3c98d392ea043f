import * as v from 'valibot';
import { MAX_PORT, MIN_PORT } from './programs-port.ts';

/** Beside the service’s 6810, and 6811 of the development host. */
const PORT = 6812;
const programFormat = v.object({
  ...{ id: v.string(), name: v.string(), token: v.pipe(v.string(), v.minLength(32)), writes: v.boolean() },
  project: v.optional(v.string()),
});
const devicePrograms = v.object({
  isOn: v.optional(v.boolean(), false),
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(MIN_PORT), v.maxValue(MAX_PORT)), PORT),
  programs: v.optional(v.array(programFormat), []),
});

/** A program that may come in through the app of this device, with its token. */
export type DeviceProgram = v.InferOutput<typeof programFormat>;
export type DevicePrograms = v.InferOutput<typeof devicePrograms>;

/** From what a device keeps; damaged text lets nobody in. */
export function readDevicePrograms(text: string | undefined): DevicePrograms {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '{}');
  } catch {
    parsed = {};
  }
  const read = v.safeParse(devicePrograms, parsed);
  return read.success ? read.output : v.parse(devicePrograms, {});
}
