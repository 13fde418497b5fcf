import type { PlanContext, Probe } from '../probe.ts';
import { listAbsentProbes } from './absent.ts';
import { listBodyProbes } from './bodies.ts';
import { listBrokenParameterProbes } from './broken-parameter.ts';
import { listLawfulProbes } from './lawful.ts';
import { listParameterValueProbes } from './parameters.ts';

/** What is sent to operations of which nothing but their own description is known. */
export function listOperationProbes(context: PlanContext): readonly Probe[] {
  return [
    ...listLawfulProbes(context),
    ...listBodyProbes(context),
    ...listAbsentProbes(context),
    ...listParameterValueProbes(context),
    ...listBrokenParameterProbes(context),
  ];
}
