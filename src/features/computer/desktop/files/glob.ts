/** Whether a name matches a pattern with `*` and `?`, in time proportional to the product of their lengths. */
function matchesName(pattern: string, name: string): boolean {
  let [at, place, star, resume] = [0, 0, -1, 0];
  while (place < name.length) {
    if (pattern[at] === '*') [star, at, resume] = [at, at + 1, place];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[place])) [at, place] = [at + 1, place + 1];
    else if (star >= 0) {
      resume += 1;
      [at, place] = [star + 1, resume];
    } else return false;
  }
  return [...pattern.slice(at)].every((sign) => sign === '*');
}

/** For a path with slashes. `**` matches any number of folders; a pattern without a slash matches names. */
export function matchesGlob(pattern: string, path: string): boolean {
  const names = path.split('/');
  const parts = pattern.includes('/') ? pattern.replace(/^\.?\//u, '').split('/') : ['**', pattern];
  // For the names read so far: which parts may have been matched.
  let open = new Set([0]);
  const skipStars = (from: ReadonlySet<number>): Set<number> => {
    const all = new Set(from);
    for (const at of all) if (parts[at] === '**') all.add(at + 1);
    return all;
  };
  open = skipStars(open);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of open) {
      const part = parts[at];
      if (part === '**') next.add(at);
      else if (part !== undefined && matchesName(part, name)) next.add(at + 1);
    }
    open = skipStars(next);
  }
  return open.has(parts.length);
}
