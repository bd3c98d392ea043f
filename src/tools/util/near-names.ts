/** Names that a model may have meant: edit distance on lower case, and names that contain or are contained. */
export function nearNames(wanted: string, names: readonly string[], limit = 5): readonly string[] {
  const target = normalize(wanted);
  const scored = names
    .map((name) => ({ name, score: distance(target, normalize(name)) }))
    .filter(({ score }) => score <= 0.6)
    .sort((left, right) => left.score - right.score || (left.name < right.name ? -1 : 1));
  return scored.slice(0, limit).map(({ name }) => name);
}

function normalize(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_\-/.]+/gu, '')
    .slice(0, 80);
}

/** 0 = equal, 1 = nothing in common; a part of the other name counts as near. */
function distance(left: string, right: string): number {
  if (left === right) return 0;
  if (left === '' || right === '') return 1;
  if (left.includes(right) || right.includes(left)) return 0.3;
  return editDistance(left, right) / Math.max(left.length, right.length);
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replace = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
