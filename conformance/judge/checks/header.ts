import {
  obligationId,
  parseJson,
  type HeaderContract,
  type JsonValue,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { held, violated, type Finding } from '../trace/finding.ts';
import type { Reading } from '../trace/trace.ts';

/** Judges the headers that the document lists for each status: there, and in their form. */
export const headerCheck: Check = {
  id: 'header',
  *judge(trace) {
    const known = new Set(trace.contract.obligations.map((obligation) => obligation.id));
    const readings = [...trace.readings, ...trace.limited];
    for (const reading of readings) {
      for (const header of reading.response?.headers ?? []) {
        const id = obligationId.header(
          reading.operation.id,
          reading.response?.status ?? '',
          header.name,
        );
        if (known.has(id)) yield judgeHeader(id, header, reading);
      }
    }
  },
};

function judgeHeader(id: string, header: HeaderContract, { answer, exchange }: Reading): Finding {
  const text = headerOf(answer, header.name);
  if (text === undefined)
    return violated(
      id,
      exchange.index,
      `the header ${header.name}`,
      `a ${answer.status} without it`,
    );
  const [issue] = header.schema?.validate(readValue(text, header)) ?? [];
  if (issue)
    return violated(
      id,
      exchange.index,
      `${header.name} ${issue.message}`,
      text === '' ? 'an empty value' : text,
    );
  return held(id, exchange.index);
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
