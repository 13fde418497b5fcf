import type { Log, Reading } from '../log/reading.ts';
import { isCrash } from '../log/reading.ts';
import { classifyRequests, tellRequests, type RequestClass } from '../log/request-class.ts';
import { describeForm, mediaTypeOf, skeletonOf } from '../log/response-form.ts';
import { symptomsWithin, type Symptom } from '../log/symptom.ts';
import { describeOutcome } from '../../model/exchange-line.ts';
import type { Claim } from '../claim/claim.ts';
import { tellOperations } from '../claim/words.ts';

/** Requests that got no response or a 5xx, by what came back and what they have in common. */
export function explainCrashes(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const all = [...log.readings.values()];
  const standing = all.filter((each) => !isCrash(each));
  return [...Map.groupBy(all.filter(isCrash), signatureOf).values()]
    .flatMap((fallen) => classifyRequests(fallen, standing))
    .flatMap((each) => {
      const own = symptomsWithin(symptoms, each.readings);
      return own.length === 0
        ? []
        : [{ kind: 'crash', sentence: tell(each, all), symptoms: own, counted: each.readings }];
    });
}

function signatureOf(reading: Reading): string {
  const { response, exchange } = reading;
  if (response === undefined) return describeOutcome(exchange.outcome);
  return `${response.status} ${mediaTypeOf(response)} ${skeletonOf(reading)}`;
}

function tell(fallen: RequestClass, all: readonly Reading[]): string {
  const { words, readings } = fallen;
  const [first] = readings;
  const what =
    first === undefined || first.response === undefined
      ? `no response (${describeOutcome(first?.exchange.outcome ?? noOutcome).replace(/^[^:]*: /, '')})`
      : `${first.response.status} (${describeForm(first)})`;
  const asked = all.filter(({ operation }) =>
    readings.some((reading) => reading.operation === operation),
  );
  const requests =
    words === undefined ? `${readings.length} of ${asked.length} requests` : tellRequests(fallen);
  return `${tellOperations(readings, 'gives', 'give')} ${what} to ${requests}.`;
}

const noOutcome = { kind: 'no-response', error: { reason: 'cut', message: '' } } as const;
