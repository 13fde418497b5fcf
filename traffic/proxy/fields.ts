/** Header fields as Node has them raw: names and values in turn, in order and case as they came. */
export type RawFields = readonly string[];

/** Fields of one connection alone, which no proxy passes on (RFC 9110 section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that `Connection` cannot take out: without them the message would be another one. */
const needed: ReadonlySet<string> = new Set(['host', 'content-length', 'content-type']);

/** The fields that a proxy passes on: all but those of the connection, and what `Connection` lists. */
export function passOn(fields: RawFields): string[] {
  const passed: string[] = [];
  let options = '';
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    const known = name.toLowerCase();
    if (known === 'connection') options += `,${value}`;
    if (!hopByHop.has(known)) passed.push(name, value);
  }
  return /^(,(keep-alive|close))*$/i.test(options) ? passed : withoutListed(passed, options);
}

function withoutListed(fields: RawFields, options: string): string[] {
  const listed = new Set(options.split(',').map((option) => option.trim().toLowerCase()));
  return pairsOf(fields)
    .filter(([name]) => needed.has(name.toLowerCase()) || !listed.has(name.toLowerCase()))
    .flat();
}

/** The values of a field by its name in lower case. */
export function valuesOf(fields: RawFields, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (isNamed(fields[at], name)) values.push(fields[at + 1] ?? '');
  return values;
}

/** Most names differ in length already. */
function isNamed(field: string | undefined, name: string): boolean {
  return field?.length === name.length && field.toLowerCase() === name;
}

/** The same fields as pairs. */
export function pairsOf(fields: RawFields): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    pairs.push([fields[at] ?? '', fields[at + 1] ?? '']);
  return pairs;
}

/** With the value of `Host` replaced in its place; added first where there is none. */
export function withHost(fields: RawFields, host: string): string[] {
  const at = fields.findIndex((each, place) => place % 2 === 0 && isNamed(each, 'host'));
  return at < 0 ? ['Host', host, ...fields] : fields.with(at + 1, host);
}
