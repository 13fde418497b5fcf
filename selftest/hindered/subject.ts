import type { Parts } from '../service/behaviour.ts';
import type { Respond } from '../service/listener.ts';
import { createService } from '../service/service.ts';
import { mutants } from '../mutants/index.ts';
import { variants } from '../variants/index.ts';
import { drawFault, type Fault } from './fault.ts';
import { drawHindrance, type Hindrance, type Time } from './hindrance.ts';
import { createDraw } from './random.ts';

/** A server that hinders a run, and may break the contract besides. */
export interface HinderedSubject {
  readonly name: string;
  /** Nothing that it does breaks a requirement. */
  readonly isLawful: boolean;
  readonly create: (time: Time) => { readonly respond: Respond };
}

/** A server drawn on a seed. `isLawful`: one that breaks no requirement, and hinders lawfully. */
export function drawSubject(seed: number, isLawful: boolean): HinderedSubject {
  const draw = createDraw(seed);
  const base =
    isLawful || draw.chance(0.6)
      ? variants[draw.below(variants.length)]
      : mutants[draw.below(mutants.length)];
  const hindrances = Array.from({ length: 1 + draw.below(2) }, (_, index) =>
    drawHindrance(seed * 7 + index, isLawful),
  );
  const faults = isLawful
    ? []
    : Array.from({ length: draw.below(3) }, (_, index) => drawFault(seed * 11 + index));
  const set = isLawful ? 'one' : draw.pick('one', 'one', 'one', 'reset', 'two');
  const at = draw.below(60);
  const isRandom = draw.chance(0.5);
  const parts: Parts = Object.assign({}, ...hindrances.map((each) => each.parts ?? {}));
  const make = (time: Time, own: readonly Fault[]): Respond =>
    wrapAll(
      createService(
        {
          ...parts,
          ...base?.behaviour(),
        },
        time,
      ).respond,
      own,
      hindrances,
      time,
    );
  return {
    name: [
      base?.id,
      ...hindrances.map(({ name }) => name),
      ...faults.map(({ name }) => name),
      set,
    ].join('; '),
    isLawful,
    create: (time) => {
      if (set === 'one') return { respond: make(time, faults) };
      const [first, second] = [make(time, faults), make(time, faults.slice(0, 1))];
      const balance = createDraw(seed + 5);
      let ordinal = 0;
      return {
        respond: (request) => {
          ordinal += 1;
          const isSecond =
            set === 'reset' ? ordinal > at : isRandom ? balance.chance(0.5) : ordinal % 2 === 0;
          return (isSecond ? second : first)(request);
        },
      };
    },
  };
}

function wrapAll(
  respond: Respond,
  faults: readonly Fault[],
  hindrances: readonly Hindrance[],
  time: Time,
): Respond {
  const broken = faults.reduce((inner, fault) => fault.wrap(inner, time.now), respond);
  return hindrances.reduce((inner, { wrap }) => wrap?.(inner, time) ?? inner, broken);
}
