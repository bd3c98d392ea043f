import { describeThrown, ToolError } from '../contract/errors.ts';
import { orAborted } from './abort.ts';

/** A part of the program in a separate file. */
export interface LazyPart<T> {
  (): Promise<T>;
  /** undefined before it has come; from then on it is there at once. */
  readonly loaded: () => T | undefined;
}

/** A part that is loaded on first use; after a failure the next use tries again. Rejects with `not_loaded`. */
export function lazyPart<T>(load: () => Promise<T>): LazyPart<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  const get = (): Promise<T> => {
    loading ??= load().then(
      (part) => {
        loaded = part;
        return part;
      },
      (error: unknown) => {
        loading = undefined;
        if (error instanceof ToolError) throw error;
        const next = 'try again; if it fails again, reload SiYuan';
        throw new ToolError('not_loaded', 'a part of Marginalia could not be loaded', next, describeThrown(error));
      },
    );
    return loading;
  };
  return Object.assign(get, { loaded: () => loaded });
}

type Method = (...args: never[]) => Promise<unknown>;

export type MethodNames<T> = Readonly<Record<keyof T, true>>;

/** Methods of an object that `make` creates for each call, loaded on the first; an aborted call does not wait for loading. */
export function lazyMethods<T extends { readonly [Name in keyof T]: Method }>(
  make: (signal: AbortSignal | undefined) => T | Promise<T>,
  names: MethodNames<T>,
): T {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const signal = args.find((each) => each instanceof AbortSignal);
    const making = make(signal);
    const made = signal && making instanceof Promise ? await orAborted(making, signal) : await making;
    return Reflect.apply(Reflect.get(made, name), made, args);
  };
  const methods = {} as T;
  for (const name of Object.keys(names)) Reflect.set(methods, name, (...args: unknown[]) => call(name, args));
  return methods;
}
