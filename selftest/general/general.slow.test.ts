import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, parseJson } from '../../contract/json/value.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { renderJsonReport } from '../../report/json.ts';
import type { Mutant } from '../index.ts';
import { runTrial } from '../trial.ts';
import { faultyServices } from './services.ts';

test.for(faultyServices)(
  '$id is one cause, and every fact of its report is true',
  async ({ id, summary, parts, causes: most = 1, requests = 60 }) => {
    const subject: Mutant = { id, summary, breaks: [''], behaviour: parts };
    const options = { seed: 1, requests, isOverNetwork: false } as const;
    const { report, unfounded } = await runTrial(petstore, subject, options);
    expect(unfounded).toEqual([]);
    expect(report?.outcome).toBe('failed');
    const document = report && parseJson(renderJsonReport(report, petstore));
    const causes = isJsonObject(document) ? document['causes'] : undefined;
    expect(causes).toSatisfy(
      (each: typeof causes) => each !== undefined && isJsonArray(each) && each.length <= most,
      JSON.stringify(causes, (_name, value: unknown) => String(value)),
    );
  },
);

test('a failure that depends on a header of the request names it', async () => {
  const service = faultyServices.find(({ id }) => id === 'gunzips-what-says-so');
  const behaviour = service?.parts ?? (() => ({}));
  const subject: Mutant = { id: 'gzip', summary: '', breaks: [''], behaviour };
  const { report } = await runTrial(petstore, subject, { requests: 240, isOverNetwork: false });
  expect(report && renderJsonReport(report, petstore)).toContain(
    'with the header `content-encoding: gzip`, and for no other request',
  );
});
