import { describeThrown, ToolError } from '../contract/errors.ts';
import { orAborted } from './abort.ts';

/** A part of the program that is a file of its own, loaded at the first need; after a failure the next need tries again. Rejects with `not_loaded`. */
export function lazyPart<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      if (error instanceof ToolError) throw error;
      const next = 'try again; if it fails again, reload SiYuan';
      throw new ToolError('not_loaded', 'a part of Marginalia could not be loaded', next, describeThrown(error));
    });
    return loading;
  };
}

type LazyMethod = (...args: never[]) => Promise<unknown>;

/** Methods of something that is made when the first of them is called. A call that is aborted meanwhile waits no longer. */
export function lazyMethods<T extends { readonly [Name in keyof T]: LazyMethod }>(
  make: () => Promise<T>,
  names: Readonly<Record<keyof T, true>>,
): T {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const signal = args.find((each) => each instanceof AbortSignal);
    const made = await (signal ? orAborted(make(), signal) : make());
    return Reflect.apply(Reflect.get(made, name), made, args);
  };
  const methods = {} as T;
  for (const name of Object.keys(names)) Reflect.set(methods, name, (...args: unknown[]) => call(name, args));
  return methods;
}
