/** A function that throws by name: what the host lacks is said, not hidden. */
export function notImplemented(name: string): () => never {
  return () => {
    throw new Error(`${name} is not implemented in the development host`);
  };
}
