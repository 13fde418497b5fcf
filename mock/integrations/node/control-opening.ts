import type { InterfaceOptions } from '../../control/interface.ts';
import type { ControlResponses, ControlledCore, Send } from './control-responses.ts';

/** Opens the control interface with its first request. */
export interface OpenControl {
  (): Promise<ControlResponses>;
  /** Undefined before. */
  opened?: Promise<ControlResponses>;
}

/** What opens the control interface of one server when it is first asked for. */
export function createControlOpening(
  core: ControlledCore,
  options: InterfaceOptions,
  send: Send,
): OpenControl {
  const startedAt = Date.now();
  const load = async (): Promise<ControlResponses> => {
    const { ControlResponses } = await import('./control-responses.ts');
    return new ControlResponses(core, options, startedAt, send);
  };
  const open: OpenControl = () => (open.opened ??= load());
  return open;
}
