/** A name without case and punctuation. */
export function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Whether a member is the time of the last change by its name: services set it, even if it is sent. */
export function isTimeOfChange(name: string, format: string | undefined): boolean {
  const isNamed = /^(?:date)?(?:last)?(?:updated|modified|changed)/.test(plainName(name));
  return isNamed && format === 'date-time';
}

/** The last segment of a path that is not a parameter, without an extension: `pets` of `/pets.json`. */
export function lastWord(path: string): string {
  const segment = path.split('/').findLast((one) => one !== '' && !one.startsWith('{')) ?? '';
  return segment.replace(/\.\w+$/, '').replace(/\([^]*/, '');
}

/** The end of an item's path: `/{id}`, `/{id}.json`, and in OData `({id})`. */
export const itemEnd = /(?:\/\{([^{}/]+)\}(?:\.\w+)?\/?|\(\{([^{}/]+)\}\))$/;

/** `id` of `/pets/{id}`, `/pets/{id}.json` and `/pets({id})`; undefined if a path does not end in one parameter. */
export function parameterAtEnd(path = ''): string | undefined {
  const [, name, inBrackets] = itemEnd.exec(path) ?? [];
  return name ?? inBrackets;
}

/** The path parameters of a path, outermost first. */
export function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** Names of one item of a collection: `category` and `categorie` of `/categories`. */
export function singularNames(path: string): readonly string[] {
  const plural = plainName(lastWord(path));
  const endings = [
    ['ies', 'y'],
    ['ses', 's'],
    ['xes', 'x'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['oes', 'o'],
    ['s', ''],
    ['', ''],
  ] as const;
  return endings
    .filter(([ending]) => plural.endsWith(ending) && plural.length > ending.length)
    .map(([ending, singular]) => plural.slice(0, plural.length - ending.length) + singular);
}

/** `author` of `authorId` and `author_ids`; undefined if a name does not end in `Id`. */
export function wordOfId(name: string): string | undefined {
  const isOfId = /[a-z\d]I[dD]s?$|_ids?$/.test(name);
  return isOfId ? plainName(name).replace(/ids?$/, '') : undefined;
}

/** Names of ids that are unique beyond their collection. */
const worldwideNames = ['uuid', 'guid', 'gid'];

const usualIdNames = ['uuid', 'uid', 'key', 'slug', 'name'];
const rareIdNames = ['guid', 'gid', 'sid', 'identifier', 'code', 'number', 'handle', 'token'];

/** Names of members that may identify an item, without case and punctuation, likeliest first. */
export interface IdNames {
  /** From the path parameter, with and without the name of the item: `petid` and `id` for `petId`. */
  readonly inPath: readonly string[];
  /** The certain ones: also `petid` for `id`, and `id`. */
  readonly sure: readonly string[];
  readonly all: readonly string[];
}

/** `given`: the name in `x-resource`. */
export function idNamesFor(path: string, parameter?: string, given?: string): IdNames {
  const singulars = singularNames(path);
  const own = given === undefined ? [] : [plainName(given)];
  const withId = singulars.map((one) => `${one}id`);
  const parents = new Set(parametersIn(path).map(plainName));
  const namesIn = (name: string): readonly string[] =>
    namesInParameter(name, singulars).filter((one) => !parents.has(one));
  const named = parameter === undefined ? [] : namesIn(parameter);
  const longer =
    named.length === 1 ? singulars.map((one) => `${one}${plainName(parameter ?? '')}`) : [];
  const sure = [
    ...own,
    ...named,
    ...longer,
    'id',
    ...(parameter === undefined ? [...withId, ...worldwideNames] : []),
  ];
  const parts = parameter?.split(/_or_|-or-|Or(?=[A-Z])/) ?? [];
  const names = [
    ...sure,
    ...withId,
    ...parts.flatMap(namesIn),
    ...usualIdNames,
    ...singulars.flatMap((one) => [...usualIdNames, ...rareIdNames].map((name) => one + name)),
    ...rareIdNames,
    ...(parameter === undefined ? [] : singulars),
  ];
  return { inPath: [...own, ...named], sure, all: [...new Set(names)] };
}

/** Names of the member that a path parameter identifies: `mypetid`, `myid`, `id` for `myPetId`. */
function namesInParameter(parameter: string, singulars: readonly string[]): readonly string[] {
  const name = plainName(parameter);
  const shorter = singulars.flatMap((singular) => {
    const parts = name.split(singular);
    const last = parts.at(-1) ?? '';
    return parts.length < 2 || last === '' ? [] : [parts.join(''), last];
  });
  return [...new Set([name, ...shorter])];
}

/** The member with the first of the wanted names that any member has. */
export function memberNamed(
  members: Iterable<string>,
  wanted: readonly string[],
): string | undefined {
  return nameAmong(byPlainName(members), wanted);
}

/** Names by their plain forms; of several with the same one, the first. */
export function byPlainName(names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...names].map((name) => [plainName(name), name] as const).toReversed());
}

/** The name for the first of the wanted plain forms that there is. */
export function nameAmong(
  names: ReadonlyMap<string, string>,
  wanted: readonly string[],
): string | undefined {
  const found = wanted.find((name) => names.has(name));
  return found === undefined ? undefined : names.get(found);
}
