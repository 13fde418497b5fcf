import * as fc from 'fast-check';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { listBreaks, readBreak } from '../probes/broken-body.ts';
import { putAt } from '../generate/edges.ts';
import { tagBody, tagDrawn } from '../generate/template.ts';
import { placesOf } from '../judge/trace/item.ts';
import { longestList } from '../probes/lists.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { additionPath, type Writer } from '../probes/requests.ts';
import type { Request } from '../transport/session.ts';
import { drawBodies } from './additions.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** Additions that a random change put outside the contract in one way each, then a list. */
export function invalidProbe(task: FuzzTask, create: Writer): Probe {
  const { operation, resource } = create;
  const { id } = operation;
  return fuzzProbe(task, id, 'invalid', {
    proves: [requirementId.state(id, `not-written.${refusalStatus(operation) ?? 400}`)],
    run: async (run) => {
      for (const request of drawInvalid(task, create, run, task.size - 1))
        await run.session.send(request);
      await run.session.send(longestList(resource));
    },
  });
}

/** Draws requests that break the contract once each; fewer where changes turn out to be valid. */
export function drawInvalid(
  task: FuzzTask,
  writer: Writer,
  run: Run,
  count: number,
): readonly Request[] {
  const { template, operation, resource } = writer;
  const status = refusalStatus(operation);
  const requests: Request[] = [];
  if (status === undefined) return requests;
  const tries = count * 6;
  const changes = run.random.sample(drawnChange, tries, `invalid ${operation.id} ${task.round}`);
  const references = run.known.references(resource);
  for (const [index, drawn] of drawBodies(task, writer, run, tries).entries()) {
    if (requests.length >= count) break;
    const valid = tagDrawn(template, tagBody(template, drawn, 'tag', references), run.nextTag());
    const body = changes[index] && breakAtRandom(run.contract, writer, valid, changes[index]);
    const broken = body === undefined ? undefined : readBreak(run.contract, operation, body);
    if (broken === undefined) continue;
    const { text, ...what } = broken;
    const path = additionPath(writer, run);
    requests.push({ operation, path, body: text, intent: { kind: 'invalid', status, ...what } });
  }
  return requests;
}

/** Values that are often taken for another one. */
const strangers = (
  [
    [null, true, false, 0, 1, -1, 1.5],
    ['', '0', '1', 'true', 'null', 'available '],
    [[], {}, [null], ['a'], { a: 1 }],
    [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n, 1e300, 'a'.repeat(300)],
  ] satisfies JsonValue[][]
).flat();

interface Change {
  readonly place: number;
  /** What is put there; undefined: what the schema says is wrong there. */
  readonly value: JsonValue | undefined;
}

const drawnChange: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  value: fc.option(
    fc.oneof(
      fc.constantFrom(...strangers),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.bigInt({ min: 2n ** 63n, max: 2n ** 70n }),
    ),
    { nil: undefined, freq: 2 },
  ),
});

function breakAtRandom(
  contract: Contract,
  { operation }: Writer,
  valid: JsonObject,
  { place, value }: Change,
): JsonValue | undefined {
  if (value === undefined) {
    const breaks = [...listBreaks(contract, operation, valid)];
    return breaks[place % breaks.length]?.value;
  }
  const places = [...placesOf(valid)];
  return putAt(valid, places[place % places.length] ?? [], value);
}
