import type { DocumentResult } from '../measure/result.ts';
import { valueText } from './cells.ts';
import { figuresOf } from './figures.ts';

/** One line about a document that was just measured. */
export function progressLine(result: DocumentResult): string {
  const { load, conformance, state, seconds } = result;
  if (state !== 'measured') return `${result.id}: ${state}`;
  if (load?.listens !== true) return `${result.id}: does not load: ${firstLine(load?.refusal)}`;
  const { answered, validBodies, pairs } = figuresOf(result);
  const conform = conformance === undefined ? '' : `, conform ${conformance.exit ?? 'ended'}`;
  return (
    `${result.id}: ${load.milliseconds} ms, 2xx ${valueText(answered)}, ` +
    `valid ${valueText(validBodies)}, pairs ${valueText(pairs)}${conform}, ${seconds ?? 0} s`
  );
}

function firstLine(text = ''): string {
  return (text.split('\n')[0] ?? '').slice(0, 160);
}
