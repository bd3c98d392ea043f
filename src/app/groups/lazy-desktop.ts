import { fieldOf } from '../../tools/util/plain-value.ts';
import type { DesktopEnvironment } from './desktop-feature.ts';
import type { Desktop } from './desktop-features.ts';

/** SiYuan's desktop app gives its pages Node; a browser, or the app on a phone, does not. */
export function hasNode(page: object = globalThis): boolean {
  const electron = fieldOf(fieldOf(fieldOf(page, 'process'), 'versions'), 'electron');
  return typeof fieldOf(page, 'require') === 'function' && typeof electron === 'string';
}

const onProblem = (problem: string): void => console.warn(`Marginalia: ${problem}`);

/** Undefined if there is no computer access, or its code cannot be loaded: the panel works without it. */
export async function loadDesktop(environment: Omit<DesktopEnvironment, 'onProblem'>): Promise<Desktop | undefined> {
  if (!hasNode() || environment.workspace === '') return undefined;
  try {
    // A separate file, whose `node:` modules are the app's (esbuild.config.mjs).
    return (await import('./desktop-features.ts')).openDesktop({ ...environment, onProblem });
  } catch (error) {
    console.warn('Marginalia: the tools for files and programs could not be loaded', error);
    return undefined;
  }
}
