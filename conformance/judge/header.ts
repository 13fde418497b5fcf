import { requirementId, type HeaderContract, type JsonValue } from '../../contract/index.ts';
import { headerOf, readJson } from '../transport/exchange.ts';
import { passed, failed, type Finding } from './trace/finding.ts';
import type { Reading, Trace } from './trace/trace.ts';

/** Judges the headers that the document lists for each status: there, and in their form. */
export function* judgeHeader({ contract, readings, limited }: Trace): Generator<Finding> {
  for (const reading of [...readings, ...limited]) {
    const { documented, operation } = reading;
    for (const header of documented?.headers ?? []) {
      const id = requirementId.header(operation.id, documented?.status ?? '', header.name);
      if (contract.requirementOf(id) !== undefined) yield judgeOne(id, header, reading);
    }
  }
}

function judgeOne(id: string, header: HeaderContract, { response, exchange }: Reading): Finding {
  const { name, schema } = header;
  const text = headerOf(response, name);
  if (text === undefined)
    return failed(id, exchange.index, `the header ${name}`, `a ${response.status} without it`);
  const [issue] = schema?.validate(readValue(text, header)) ?? [];
  return issue
    ? failed(id, exchange.index, `${name} ${issue.message}`, text === '' ? 'an empty value' : text)
    : passed(id, exchange.index);
}

/** A header's value as its schema sees it: a number or boolean where it asks for one. */
function readValue(text: string, header: HeaderContract): JsonValue {
  const types = header.schema?.shape().types ?? [];
  const value = types.includes('string') ? undefined : readJson(text);
  return value === undefined || typeof value === 'object' ? text : value;
}
