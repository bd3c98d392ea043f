import type { ProcessCommand } from './run-process.ts';

/** Runs a script with Node. In SiYuan's desktop app it is the app's own. `memory`: bytes of JavaScript objects. */
export function nodeCommand(script: string, memory: number): Pick<ProcessCommand, 'file' | 'args' | 'environment'> {
  const args = [`--max-old-space-size=${Math.ceil(memory / 1024 ** 2)}`, script];
  return { file: process.execPath, args, environment: process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}
