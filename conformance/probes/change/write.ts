import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { boundaryValues } from '../../generate/boundary.ts';
import { sampleTag } from '../../generate/tag.ts';
import { textValues } from '../../generate/text-values.ts';
import { successId } from '../../judge/trace/trace.ts';
import { statusOf } from '../../transport/exchange.ts';
import {
  describe,
  takenId,
  leftOut,
  variantRequest,
  type Variant,
  type Writer,
} from '../body-variant.ts';
import { readBack } from '../valid-request.ts';
import { createProbe, type Probe, type Run } from '../probe.ts';
import { ownItem, toItem, type ItemResource } from './item.ts';

/** What the valid changes of one operation share. */
export interface Changer extends Writer {
  readonly resource: ItemResource;
  readonly act: 'replace' | 'update';
}

/** Valid changes, each read back: of all members, of some, with edges and with hard texts. */
export function listWriteProbes(changer: Changer): readonly Probe[] {
  return [...plainProbes(changer), ...edgeProbes(changer), ...textProbes(changer)];
}

/** What a change of an item can prove beside what its members exercise. */
function provesOf({ operation }: Changer): readonly string[] {
  const facets = ['stored', 'id-kept', 'others-kept'] as const;
  return [successId(operation), ...facets.map((facet) => requirementId.state(operation.id, facet))];
}

/** What to send; of several, the next where one is refused. */
interface Attempt extends Pick<Variant, 'exercises'> {
  readonly changes: (run: Run) => JsonObject;
  /** A reference to what need not exist: left out where the target takes only records that do. */
  readonly reference?: string;
}

function changeProbe(
  changer: Changer,
  name: string,
  rank: number,
  attempts: readonly Attempt[],
): Probe {
  const { operation, resource, act } = changer;
  return createProbe({
    id: `${operation.id}/${name}`,
    phase: 'change',
    rank,
    requests: 2,
    writes: true,
    proves: [...provesOf(changer), ...attempts.flatMap(({ exercises }) => exercises)],
    run: async (run) => {
      const id = await ownItem(run, resource, act);
      if (id === undefined) return;
      for (const { changes, exercises, reference } of attempts) {
        if (reference !== undefined && run.known.restricted.has(reference)) continue;
        const variant = { changes: changes(run), exercises };
        const request = toItem(variantRequest(changer, variant, run), resource, id);
        if ((statusOf(await run.session.send(request)) ?? 0) >= 400) continue;
        await readBack(run, resource, id);
        return;
      }
    },
  });
}

/** Every member at once for what replaces; for what updates, each member alone. */
function plainProbes(changer: Changer): readonly Probe[] {
  const { act, operation, template } = changer;
  const optional = leftOut(template);
  const other = optional.flatMap(({ name, member }) => {
    const values = boundaryValues(member);
    const value = values.at(member.shape().values === undefined ? 0 : -1);
    const exercises = [takenId(operation, name)];
    const isText = name === template.tagged || template.references.has(name);
    return value === undefined || isText ? [] : [{ name, changes: { [name]: value }, exercises }];
  });
  const left = optional.map(({ facet }) => facet);
  const few: Attempt = { changes: () => ({}), exercises: [] };
  if (act === 'replace') {
    const changes: JsonObject = Object.fromEntries(
      other.flatMap((each) => Object.entries(each.changes)),
    );
    const all: Attempt = {
      changes: () => changes,
      exercises: other.flatMap(({ exercises }) => exercises),
    };
    const large = withLargeReference(changer, all);
    const short = changeProbe(changer, 'required members', 2, [few]);
    return [
      changeProbe(changer, 'all members', 1, [
        ...large.flatMap((each) => withHardText(changer, each, true)),
        ...large,
        all,
      ]),
      ...(optional.length > 0 ? [{ ...short, proves: [...short.proves, ...left] }] : []),
    ];
  }
  const tagged = changeProbe(changer, `only ${template.tagged ?? 'required members'}`, 1, [
    ...withHardText(changer, few, false),
    ...withHardText(changer, few, true),
    few,
  ]);
  const [first, ...rest] = other.map(({ name, changes, exercises }, index) => {
    const alone = { ...changer, template: { ...template, tagged: undefined } };
    const attempt: Attempt = { changes: () => changes, exercises };
    const probe = changeProbe(alone, `only ${name}`, index === 0 ? 1 : 2, [attempt]);
    return { ...probe, proves: [...probe.proves, ...left] };
  });
  // What is served after a refusal tells what the refusal was for.
  const last = { ...tagged, proves: [...tagged.proves, ...left] };
  return [...(first === undefined ? [] : [first]), last, ...rest];
}

/** The same with a reference that double precision rounds, where none has to exist. */
function withLargeReference({ template, operation }: Changer, all: Attempt): readonly Attempt[] {
  return [...template.references.keys()].slice(0, 1).flatMap((name) => {
    const member = template.node.shape().properties.get(name);
    const large = member && boundaryValues(member)[1];
    if (member === undefined || large === undefined) return [];
    const exercises = [...all.exercises, takenId(operation, name)];
    const changes: Attempt['changes'] = (run) => ({ ...all.changes(run), [name]: large });
    return [{ changes, exercises, reference: name }];
  });
}

/** The same with the text that is hardest on servers, or what to send where that is refused. */
function withHardText(
  { template, operation }: Changer,
  attempt: Attempt,
  isMilder: boolean,
): readonly Attempt[] {
  const [text] = textValues;
  const build = isMilder ? text?.milder?.[0] : text?.build;
  const { tagged } = template;
  const member = template.node.shape().properties.get(tagged ?? '');
  if (tagged === undefined || build === undefined || member === undefined) return [];
  if (member.validate(build(sampleTag)).length > 0) return [];
  const exercises = [...attempt.exercises, takenId(operation, tagged)];
  const changes: Attempt['changes'] = (run) => ({
    ...attempt.changes(run),
    [tagged]: build(run.nextTag()),
  });
  return [{ ...attempt, changes, exercises }];
}

function edgeProbes(changer: Changer): readonly Probe[] {
  const { operation, template } = changer;
  return [...template.node.shape().properties].flatMap(([name, member]) => {
    const shape = member.shape();
    if (name === template.tagged || shape.readOnly) return [];
    const isEnum = shape.values !== undefined;
    const facet = takenId(operation, name);
    return boundaryValues(member).map((value, index) => {
      const rank = !isEnum && index < 4 ? 2 : 3;
      const attempt: Attempt = {
        changes: () => ({ [name]: value }),
        exercises: [facet],
        reference: name,
      };
      return changeProbe(changer, `edge: ${name} ${describe(value)}`, rank, [attempt]);
    });
  });
}

function textProbes(changer: Changer): readonly Probe[] {
  const { operation, template } = changer;
  const { tagged } = template;
  const member = template.node.shape().properties.get(tagged ?? '');
  if (tagged === undefined || member === undefined) return [];
  const facet = takenId(operation, tagged);
  const echo = requirementId.state(operation.id, `echo.${tagged}`);
  return textValues.flatMap(({ name, build, milder = [], rank }) => {
    const builds = [build, ...milder].filter(
      (each) => member.validate(each(sampleTag)).length === 0,
    );
    if (builds.length === 0) return [];
    const attempts = builds.map((each): Attempt => {
      const changes = (run: Run): JsonObject => ({ [tagged]: each(run.nextTag()) });
      return { changes, exercises: [facet] };
    });
    const probe = changeProbe(changer, `text: ${name}`, rank === 1 ? 2 : 4, attempts);
    return [{ ...probe, proves: [...probe.proves, echo] }];
  });
}
