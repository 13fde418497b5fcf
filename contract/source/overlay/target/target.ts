import { JSONPathEnvironment } from 'json-p3';
import { documentLimits } from '../../../limits/index.ts';
import { messageOf } from '../../contract-error.ts';
import { maximumDepth } from '../../../json/value.ts';
import { compileQuery } from './query.ts';
import type { Walk } from './scope.ts';

/** Compiles targets: JSONPath queries (RFC 9535). `refuse` is given why one cannot be. */
export function createTargetCompiler() {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: maximumDepth });
  const { most } = documentLimits.overlayTarget;
  return (target: string, refuse: (reason: string) => never): Walk => {
    if (target.length > most)
      return refuse(`has ${target.length} characters, at most ${most} are read`);
    try {
      return compileQuery(environment.compile(target));
    } catch (cause) {
      return refuse(
        cause instanceof RangeError
          ? 'is nested too deeply'
          : `is no JSONPath query (RFC 9535): ${messageOf(cause)}`,
      );
    }
  };
}
