import {
  type JsonValue,
  type Operation,
  type Random,
  renderJson,
  sampleSchema,
} from '../../../contract/index.ts';
import { below, oddText, pick } from './texts.ts';

/** A body that may be anything: what the operation takes, nearly that, or no JSON at all. */
export function hostileBody(random: Random, operation: Operation | undefined): Buffer {
  const how = random();
  if (how < 0.35) return Buffer.from(renderJson(sampleOf(random, operation)));
  if (how < 0.6) return Buffer.from(renderJson(changed(random, sampleOf(random, operation))));
  if (how < 0.602)
    return Buffer.from(renderJson({ name: 'x'.repeat(below(random, 900_000)), categoryId: 1 }));
  if (how < 0.603) return Buffer.from('x'.repeat(1_048_000 + below(random, 2000)));
  const depth = 1 + below(random, 5000);
  return pick<() => Buffer>(random, [
    () => Buffer.from('['.repeat(depth)),
    () => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`),
    () => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    () => Buffer.from(`{"name":"x","name":"y","categoryId":1}`),
    () => Buffer.from(`{"name":"x","categoryId":${'9'.repeat(1 + below(random, 400))}}`),
    () => Buffer.from(`{"name":"x","categoryId":1e${below(random, 400)}}`),
    () => Buffer.from(`{"name":"\\ud800","categoryId":1}`),
    () => Buffer.from('\uFEFF{"name":"x","categoryId":1}'),
    () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => Buffer.from('a=b&c=d&%zz=%'),
    () => Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'),
    () => Buffer.from(Array.from({ length: below(random, 200) }, () => below(random, 256))),
    () => Buffer.from(`{${'"a":1,'.repeat(below(random, 500))}"b":2}`),
    () => Buffer.from('null'),
    () => Buffer.from(''),
  ])();
}

function sampleOf(random: Random, operation: Operation | undefined): JsonValue {
  const schema = operation?.requestBody?.content[0]?.schema;
  return schema === undefined
    ? { name: oddText(random), categoryId: below(random, 9) }
    : sampleSchema(schema, { direction: 'request', seed: `${below(random, 50)}` }).value;
}

/** With a member more, less, or of another kind. */
function changed(random: Random, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return oddText(random);
  const members: [string, JsonValue | undefined][] = Object.entries(value);
  const at = below(random, members.length);
  const odd = pick<JsonValue>(random, [null, true, -1, 1e300, [], {}, oddText(random), [[[]]]]);
  const kept = members.map(([name, one], index): [string, JsonValue | undefined] =>
    index === at ? [name, odd] : [name, one],
  );
  const rest = random() < 0.3 ? kept.filter((_, index) => index !== at) : kept;
  const more: [string, JsonValue][] = random() < 0.3 ? [[oddText(random), odd]] : [];
  return Object.fromEntries([...rest, ...more]);
}
