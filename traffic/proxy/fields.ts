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
export function passOn(fields: RawFields): readonly string[] {
  const listed = listConnectionOptions(fields);
  const passed: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    const isListed = listed.has(name) && !needed.has(name);
    if (!isListed && !hopByHop.has(name)) passed.push(fields[at] ?? '', fields[at + 1] ?? '');
  }
  return passed;
}

function listConnectionOptions(fields: RawFields): ReadonlySet<string> {
  const values = valuesOf(fields, 'connection');
  if (values.length === 0) return nothing;
  const options = values.flatMap((value) => value.split(','));
  return new Set(options.map((option) => option.trim().toLowerCase()));
}

const nothing: ReadonlySet<string> = new Set();

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
export function pairsOf(fields: RawFields): readonly (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    pairs.push([fields[at] ?? '', fields[at + 1] ?? '']);
  return pairs;
}

/** With the value of a field replaced where it stands; added first where it is not there. */
export function withField(fields: RawFields, name: string, value: string): readonly string[] {
  const at = fields.findIndex(
    (each, place) => place % 2 === 0 && isNamed(each, name.toLowerCase()),
  );
  return at < 0 ? [name, value, ...fields] : fields.with(at + 1, value);
}
