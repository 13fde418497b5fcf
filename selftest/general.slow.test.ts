import { expect, test } from 'vitest';
import { isJsonArray, isJsonObject, parseJson } from '../contract/json/value.ts';
import { renderJsonReport } from '../report/json.ts';
import { petstore } from '../test/contract/petstore.ts';
import { generalMutants } from './mutants/general.ts';
import { runTrial } from './trial.ts';

const shownAt240 = 'gunzips-what-says-so';

test.for(generalMutants)(
  '$id is one cause, and every fact of its report is true',
  async (mutant) => {
    const requests = mutant.id === shownAt240 ? 240 : 60;
    const options = { seed: 1, requests, isOverNetwork: false };
    const { report, unfounded } = await runTrial(petstore, mutant, options);
    expect(unfounded).toEqual([]);
    expect(report?.outcome).toBe('failed');
    const text = report && renderJsonReport(report, petstore);
    const document = text === undefined ? undefined : parseJson(text);
    const causes = isJsonObject(document) ? document['causes'] : undefined;
    // 2^63 - 1 becomes 2^63 before it is checked, and is then refused as out of range.
    const most = mutant.id === 'numbers-are-doubles' ? 2 : 1;
    expect(causes).toSatisfy(
      (each: typeof causes) => each !== undefined && isJsonArray(each) && each.length <= most,
      JSON.stringify(causes, (_name, value: unknown) => String(value)),
    );
    // A failure that depends on a header of the request names it.
    const named = 'with the header `content-encoding: gzip`, and for no other request';
    expect(text?.includes(named)).toBe(mutant.id === shownAt240);
  },
);
