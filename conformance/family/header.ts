import type { Contract } from '../../contract/contract.ts';
import { once } from '../memo/once.ts';
import {
  requirementId,
  type Drafts,
  draftsOf,
  type Requirements,
} from '../judge/trace/requirement.ts';
import type { HeaderContract } from '../../contract/openapi/header.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { headerOf, readJson } from '../transport/exchange.ts';
import { fillText, hasCutName, isCut } from '../transport/cut.ts';
import { cutReason } from '../judge/trace/cut.ts';
import { passed, failed, unclear, undecided, type Finding } from '../judge/trace/finding.ts';
import { isFreeText } from '../judge/trace/item.ts';
import { mayBeOfProxy } from '../judge/trace/refusal.ts';
import type { Reading, Trace } from '../judge/trace/trace.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { ResponseContract } from '../../contract/openapi/response.ts';
import { isReachable } from './status.ts';

export function* listHeaderRequirements(
  operation: Operation,
  { status, headers }: ResponseContract,
  context: Contract,
): Drafts {
  if (!isReachable(operation, status, context)) return;
  const draft = draftsOf(operation);
  for (const header of headers) {
    const { name, schema, pointer } = header;
    const isDue = mustHave(header, context);
    if (!isDue && (schema === undefined || isFreeText(schema.shape()))) continue;
    const start = isDue ? `A ${status} from` : `If a ${status} from`;
    const has = `${operation.id} has the header ${name},`;
    const format = `${isDue ? 'in' : 'it is in'} the format that the document defines.`;
    yield draft({ kind: 'header', status, name }, `${start} ${has} ${format}`, pointer);
  }
}

/** Whether responses need a header: it is required, or counts requests. */
function mustHave({ name, required }: HeaderContract, { rateLimit }: Contract): boolean {
  const counting = Object.values(rateLimit?.headers ?? {});
  return required || counting.some((each) => each.toLowerCase() === name.toLowerCase());
}

export function* judgeHeader(trace: Trace): Generator<Finding> {
  const { contract, requirements, readings, limited } = trace;
  for (const reading of [...readings, ...limited]) {
    const { operation, documented, response } = reading;
    if (documented === undefined || mayBeOfProxy(reading)) continue;
    for (const { id, header } of demandsOf(requirements)(operation).get(documented) ?? [])
      if (headerOf(response, header.name) !== undefined || mustHave(header, contract))
        yield judgeOne(id, header, reading);
  }
}

/** The headers that have a requirement, with its id, by the response of an operation. */
const demandsOf = once((requirements: Requirements) =>
  once(({ id: operation, responses }: Operation) => {
    const listHeaders = ({ status, headers }: ResponseContract) =>
      headers.flatMap((header) => {
        const id = requirementId.header(operation, status, header.name);
        return requirements.has(id) ? [{ id, header }] : [];
      });
    return new Map(responses.map((response) => [response, listHeaders(response)]));
  }),
);

function judgeOne(id: string, header: HeaderContract, { response, index }: Reading): Finding {
  const { name, schema } = header;
  const text = headerOf(response, name);
  if (text === undefined && hasCutName(response)) return unclear(id, index, cutReason);
  if (text === undefined)
    return failed(id, index, `the header ${name}`, `a ${response.status} without it`);
  const { issues = [], undecided: doubt } = schema?.judge(readValue(text, header)) ?? {};
  const [issue] = issues;
  if (isCut(text) && !takesAny(header, text)) return unclear(id, index, cutReason);
  if (issue !== undefined)
    return failed(id, index, `${name} ${issue.message}`, text === '' ? 'an empty value' : text);
  return doubt === undefined ? passed(id, index) : undecided(id, index, name, doubt);
}

/** Whether a header is valid whatever key was cut from it. */
function takesAny(header: HeaderContract, text: string): boolean {
  return [text, ...fillText(text)].every((filled) => {
    const value = readValue(filled, header);
    return header.schema === undefined || header.schema.validate(value).length === 0;
  });
}

/**
 * Parses a header by style `simple`: items, or the names and values of an object, are separated by
 * commas; numbers and booleans are read if the schema has them.
 */
function readValue(text: string, { schema }: HeaderContract): JsonValue {
  const shape = schema?.shape();
  const types = shape?.types ?? [];
  if (types.includes('string')) return text;
  const parts = text.split(',').map((part) => part.trim());
  if (types.includes('array')) return parts.map((part) => readScalar(part, shape?.items));
  if (!types.includes('object')) return readScalar(text, schema);
  const isExploded = parts.every((part) => part.includes('='));
  const words = isExploded ? parts.flatMap((part) => part.split(/=(.*)/s).slice(0, 2)) : parts;
  const names = words.filter((_, at) => at % 2 === 0);
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      readScalar(words[at * 2 + 1] ?? '', shape?.properties.get(name)),
    ]),
  );
}

function readScalar(text: string, schema: SchemaNode | undefined): JsonValue {
  const value = schema?.shape().types.includes('string') === true ? undefined : readJson(text);
  return value === undefined || typeof value === 'object' ? text : value;
}
