/** One cycle of a graph of imports, its first module again at the end; undefined for none. */
export function findCycle(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    const cycle = firstOf(graph.get(path) ?? [], (next) => visit(next, [...way, path]));
    done.add(path);
    return cycle;
  };
  return firstOf([...graph.keys()], (path) => visit(path, []));
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
