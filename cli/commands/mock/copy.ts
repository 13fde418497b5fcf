import { hasCode } from '../../../contract/index.ts';
import {
  type Clock,
  type Control,
  type Mock,
  type MockOptions,
  createMock,
} from '../../../mock/index.ts';

/**
 * Makes mocks of the document that a mock serves now, with the same settings, or with the choices
 * and limits of one of its sandboxes; they share nothing with it. Items to start with that do not
 * fit the document any more are left out.
 */
export function copyMock(
  mock: Mock,
  control: Control,
  options: MockOptions,
): (clock: Clock, sandbox?: string) => Mock {
  return (clock, sandbox) => {
    const { contract } = mock;
    const settings = { ...options, ...settingsOf(control, options, sandbox), clock };
    try {
      return createMock(contract, settings);
    } catch (error) {
      if (!hasCode(error, 'seed')) throw error;
      const { seed: _unfit, isSeedTrusted: _trusted, ...others } = settings;
      return createMock(contract, others);
    }
  };
}

/** Looked at, no sandbox is made by it: one that is not there is as the mock. */
function settingsOf(
  control: Control,
  { limits = {} }: MockOptions,
  sandbox: string | undefined,
): Pick<MockOptions, 'choices' | 'limits'> {
  if (sandbox === undefined) return {};
  const { choices, quotas } = control.look(sandbox);
  const own = quotas.map(({ plan, windows }) => [
    plan,
    Object.fromEntries(windows.map(({ name, limit }) => [name, limit])),
  ]);
  const plans = new Set(quotas.map(({ plan }) => plan.toLowerCase()));
  const others = Object.entries(limits).filter(([plan]) => !plans.has(plan.toLowerCase()));
  return { choices, limits: Object.fromEntries([...own, ...others]) };
}
