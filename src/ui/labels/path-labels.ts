/** Steps of a place in words, from the outside in: "/Projects/Apollo" and "Apollo › Plan" alike. */
export function pathSteps(path: string): string[] {
  return path
    .split(/\s*›\s*|\//)
    .map((step) => step.trim())
    .filter((step) => step !== '');
}

/** The name that stands at the end of a path. */
export function lastStep(path: string): string {
  return pathSteps(path).at(-1) ?? path;
}
