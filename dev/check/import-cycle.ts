/** One cycle of a graph of imports, its first module again at the end; undefined for none. */
export function findCycle(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    const ways = (graph.get(path) ?? []).values().map((next) => visit(next, [...way, path]));
    const cycle = ways.find((each) => each !== undefined);
    done.add(path);
    return cycle;
  };
  return graph
    .keys()
    .map((path) => visit(path, []))
    .find((each) => each !== undefined);
}
