import {
  requirementId,
  parseJson,
  type HeaderContract,
  type JsonValue,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import type { Reading } from '../trace/trace.ts';

/** Judges the headers that the document lists for each status: there, and in their form. */
export const headerCheck: Check = {
  id: 'header',
  *judge(trace) {
    const known = new Set(trace.contract.requirements.map((requirement) => requirement.id));
    const readings = [...trace.readings, ...trace.limited];
    for (const reading of readings) {
      for (const header of reading.documented?.headers ?? []) {
        const id = requirementId.header(
          reading.operation.id,
          reading.documented?.status ?? '',
          header.name,
        );
        if (known.has(id)) yield judgeHeader(id, header, reading);
      }
    }
  },
};

function judgeHeader(id: string, header: HeaderContract, { response, exchange }: Reading): Finding {
  const text = headerOf(response, header.name);
  if (text === undefined)
    return failed(
      id,
      exchange.index,
      `the header ${header.name}`,
      `a ${response.status} without it`,
    );
  const [issue] = header.schema?.validate(readValue(text, header)) ?? [];
  if (issue)
    return failed(
      id,
      exchange.index,
      `${header.name} ${issue.message}`,
      text === '' ? 'an empty value' : text,
    );
  return passed(id, exchange.index);
}

/**
 * A header's value as its schema sees it: a number or boolean where the schema asks for one and the
 * text is one.
 */
function readValue(text: string, header: HeaderContract): JsonValue {
  const types = header.schema?.shape().types ?? [];
  if (types.includes('string')) return text;
  try {
    const value = parseJson(text);
    return typeof value === 'object' ? text : value;
  } catch {
    return text;
  }
}
