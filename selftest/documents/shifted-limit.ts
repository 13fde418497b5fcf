import {
  type Contract,
  type JsonObject,
  type JsonValue,
  type Operation,
  type SchemaNode,
  appendPointer,
  facetOf,
  isContentIgnored,
  isJsonArray,
  isJsonObject,
  jsonContent,
  loadContract,
  parsePointer,
  renderJson,
  requirementId,
  resolvePointer,
  sampleSchema,
  successResponse,
} from '../../contract/index.ts';

/** A server that keeps a document but for one limit of one value in a request, which is off by one. */
export interface ShiftedLimit {
  /** `addBook body.title maxLength 40 → 41`. */
  readonly id: string;
  /** What the server keeps. */
  readonly served: Contract;
  /** The requirement that names the limit, and that of every valid request; one has to fail. */
  readonly breaks: readonly string[];
}

/** How a limit is changed: `looser` accepts what has to be refused, `tighter` refuses what is valid. */
interface Shift {
  readonly way: 'looser' | 'tighter';
  readonly keyword: string;
  readonly value: JsonValue | undefined;
}

/** A value in a request: where its schema is in the document, and what its requirements are. */
interface Place {
  readonly name: string;
  readonly operation: Operation;
  /** Pointer of the schema of the whole body, or of the parameter. */
  readonly pointer: string;
  readonly path: readonly string[];
  readonly node: SchemaNode;
  readonly broken: (keyword: string, way: Shift['way']) => readonly string[];
}

const deepest = 3;

/** Every limit of a document in its requests that can be shifted so that a value shows it. */
export async function listShiftedLimits(contract: Contract): Promise<readonly ShiftedLimit[]> {
  const found: ShiftedLimit[] = [];
  const known = new Set<string>();
  for (const place of listPlaces(contract))
    for (const shift of listShifts(place.node)) {
      const breaks = place.broken(shift.keyword, shift.way);
      const isNamed = contract.requirementOf(breaks[0] ?? '') !== undefined;
      const key = renderJson([place.pointer, ...place.path, shift.keyword, shift.way]);
      // Operations that share a description share its limits.
      if (!isNamed || known.has(key)) continue;
      known.add(key);
      const served = await serve(contract, place, shift);
      const was = renderJson(ownLimit(place.node, shift.keyword) ?? null);
      const is = shift.value === undefined ? 'none' : renderJson(shift.value);
      const id = `${place.operation.id} ${place.name} ${shift.keyword} ${was} → ${is}`;
      if (served !== undefined) found.push({ id, served, breaks });
    }
  return found;
}

function* listPlaces({ operations }: Contract): Generator<Place> {
  for (const operation of operations) {
    const success = requirementId.status(operation.id, successResponse(operation)?.status ?? '');
    for (const { name, in: place, schema, pointer } of operation.parameters) {
      if (place !== 'query') continue;
      yield {
        name: `?${name}`,
        operation,
        pointer: appendPointer(pointer, 'schema'),
        path: [],
        node: schema,
        // Few documents say that a wrong parameter is refused.
        broken: (keyword, way) =>
          way === 'looser'
            ? []
            : [requirementId.parameter(operation.id, name, facetOfLimit(keyword)), success],
      };
    }
    const media = jsonContent(operation.requestBody?.content ?? []);
    if (media?.schema === undefined || isContentIgnored(operation.method)) continue;
    for (const [path, node] of listMembers(media.schema, [])) {
      const [member = ''] = path;
      yield {
        name: ['body', ...path].join('.'),
        operation,
        pointer: appendPointer(media.pointer, 'schema'),
        path,
        node,
        // What comes of a patch is judged by another schema as well.
        broken: (keyword, way) =>
          way === 'looser'
            ? operation.method === 'PATCH'
              ? []
              : [requirementId.requestFacet(operation.id, path, facetOf(keyword) ?? '')]
            : [requirementId.requestFacet(operation.id, [member], 'taken'), success],
      };
    }
  }
}

function facetOfLimit(keyword: string): 'values' | 'minimum' | 'maximum' {
  if (facetOf(keyword) === 'values') return 'values';
  return /min/i.test(keyword) ? 'minimum' : 'maximum';
}

function* listMembers(
  node: SchemaNode,
  path: readonly string[],
): Generator<readonly [readonly string[], SchemaNode]> {
  if (path.length > deepest) return;
  if (path.length > 0) yield [path, node];
  const { properties, items } = node.shape();
  if (items !== undefined) yield* listMembers(items, [...path, '[]']);
  for (const [name, member] of properties)
    if (!member.shape().readOnly) yield* listMembers(member, [...path, name]);
}

function ownLimit({ schema }: Pick<SchemaNode, 'schema'>, keyword: string): JsonValue | undefined {
  return isJsonObject(schema) ? schema[keyword] : undefined;
}

const leastKeywords = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const mostKeywords = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

function* listShifts(node: SchemaNode): Generator<Shift> {
  for (const keyword of [...leastKeywords, ...mostKeywords]) {
    const limit = ownLimit(node, keyword);
    if (typeof limit !== 'number' && typeof limit !== 'bigint') continue;
    const inwards = leastKeywords.includes(keyword) ? 1 : -1;
    yield { way: 'looser', keyword, value: add(limit, -inwards) };
    // A range of fractions without its end has no last value that could be refused.
    const hasEnd = !keyword.startsWith('exclusive') || !node.shape().types.includes('number');
    if (hasEnd) yield { way: 'tighter', keyword, value: add(limit, inwards) };
  }
  const values = ownLimit(node, 'enum');
  if (values !== undefined && isJsonArray(values)) {
    yield { way: 'looser', keyword: 'enum', value: undefined };
    if (values.length > 1) yield { way: 'tighter', keyword: 'enum', value: values.slice(0, -1) };
  }
  if (ownLimit(node, 'pattern') !== undefined)
    yield { way: 'looser', keyword: 'pattern', value: undefined };
}

function add(one: number | bigint, other: number): number | bigint {
  return typeof one === 'bigint' ? one + BigInt(other) : one + other;
}

/** The document with one limit shifted, served; undefined where no value shows the difference. */
async function serve(
  contract: Contract,
  { pointer, path, node, operation, name }: Place,
  { way, keyword, value }: Shift,
): Promise<Contract | undefined> {
  const { document } = contract;
  const changed = editAt(document, resolvePointer(document, pointer), path, (schema) => {
    const { [keyword]: _was, ...rest } = schema;
    return value === undefined ? rest : { ...rest, [keyword]: value };
  });
  if (changed === undefined) return undefined;
  const text = renderJson(replaceAt(document, parsePointer(pointer), changed));
  const served = await loadContract({ text, name: contract.source });
  const shifted = [...listPlaces(served)].find(
    (each) => each.name === name && each.operation.id === operation.id,
  );
  const shown = listWitnesses(node, keyword).some((witness) => {
    const [before, after] = [node, shifted?.node].map((one) => one?.validate(witness).length === 0);
    return before === (way === 'tighter') && after === (way === 'looser');
  });
  return shown ? served : undefined;
}

/** A schema with one that is within it changed; references on the way are replaced by their schemas. */
function editAt(
  document: JsonObject,
  schema: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  edit: (schema: JsonObject) => JsonObject,
): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { $ref: reference, ...own } = schema;
  if (typeof reference === 'string') {
    const target = reference.startsWith('#')
      ? resolvePointer(document, decodeURIComponent(reference.slice(1)))
      : undefined;
    return isJsonObject(target)
      ? editAt(document, { ...target, ...own }, step === undefined ? [] : [step, ...rest], edit)
      : undefined;
  }
  if (step === undefined) return edit(schema);
  const { properties, items, allOf } = schema;
  if (step === '[]') {
    const changed = editAt(document, items, rest, edit);
    return changed && { ...schema, items: changed };
  }
  if (isJsonObject(properties) && properties[step] !== undefined) {
    const changed = editAt(document, properties[step], rest, edit);
    return changed && { ...schema, properties: { ...properties, [step]: changed } };
  }
  const parts = allOf !== undefined && isJsonArray(allOf) ? allOf : [];
  for (const [at, part] of parts.entries()) {
    const changed = editAt(document, part, [step, ...rest], edit);
    if (changed !== undefined) return { ...schema, allOf: parts.with(at, changed) };
  }
  return undefined;
}

function replaceAt(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  replacement: JsonValue,
): JsonValue {
  if (step === undefined) return replacement;
  if (isJsonObject(value)) return { ...value, [step]: replaceAt(value[step], rest, replacement) };
  if (value === undefined || !isJsonArray(value)) throw new RangeError(`nothing is at ${step}`);
  return value.with(Number(step), replaceAt(value[Number(step)], rest, replacement));
}

/** Values at a limit and next to it. */
function listWitnesses(node: SchemaNode, keyword: string): readonly JsonValue[] {
  const limit = ownLimit(node, keyword);
  if (keyword === 'enum')
    return ['no-such-value', ...(limit !== undefined && isJsonArray(limit) ? limit.slice(-1) : [])];
  if (keyword === 'pattern') return ['', '\u0001', 'no such value', '0'];
  if (typeof limit !== 'number' && typeof limit !== 'bigint') return [];
  return [-1, 0, 1].flatMap((by): readonly JsonValue[] => {
    const size = add(limit, by);
    if (!/length|items/i.test(keyword)) return [size];
    if (size < 0 || size > 2000) return [];
    const { items } = node.shape();
    const texts = ['a', '0', 'A'].map((each) => each.repeat(Number(size)));
    if (keyword.endsWith('Length')) return texts;
    const item = items === undefined ? 1 : sampleSchema(items, { direction: 'request' }).value;
    const alike = Array.from({ length: Number(size) }, () => item);
    return [alike, alike.map((_, at) => at + 1), alike.map((_, at) => `a${at}`)];
  });
}
