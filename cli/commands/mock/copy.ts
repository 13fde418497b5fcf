import { hasCode } from '../../../contract/index.ts';
import { type Clock, type Mock, type MockOptions, createMock } from '../../../mock/index.ts';

/**
 * Makes mocks of the document that a mock serves now, with the same settings, which share nothing
 * with it. Items to start with that do not fit the document any more are left out.
 */
export function copyMock(mock: Mock, options: MockOptions): (clock: Clock) => Mock {
  return (clock) => {
    const { contract } = mock;
    try {
      return createMock(contract, { ...options, clock });
    } catch (error) {
      if (!hasCode(error, 'seed')) throw error;
      const { seed: _unfit, isSeedTrusted: _trusted, ...others } = options;
      return createMock(contract, { ...others, clock });
    }
  };
}
