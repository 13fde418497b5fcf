import type { ControlArguments } from '../../mock/control/client.ts';

/** A run as it is asked for. */
export type RunOrder = ControlArguments<'startRun'>['body'];

/** What the form holds, as it was typed. */
export interface OrderFields {
  readonly isOwn: boolean;
  readonly baseUrl: string;
  readonly key: string;
  readonly plan: string;
  readonly requests: string;
  readonly seed: string;
  readonly readOnly: boolean;
  readonly insecure: boolean;
}

export const emptyFields: OrderFields = {
  isOwn: true,
  baseUrl: '',
  key: '',
  plan: '',
  requests: '',
  seed: '',
  readOnly: false,
  insecure: false,
};

/** Where something is wrong, and what. */
export type FieldErrors = Readonly<Partial<Record<'baseUrl' | 'requests' | 'seed', string>>>;

/** What is wrong with the fields; empty for nothing. */
export function checkFields({ isOwn, baseUrl, requests, seed }: OrderFields): FieldErrors {
  const isUrl = /^https?:\/\/[^/]/i.test(baseUrl.trim()) && URL.canParse(baseUrl.trim());
  return {
    ...(isOwn || isUrl
      ? {}
      : { baseUrl: 'Give an address with its version segment, such as http://127.0.0.1:8080/v1.' }),
    ...(isWhole(requests, 1, 100_000)
      ? {}
      : { requests: 'Give a whole number from 1 to 100,000, or nothing.' }),
    ...(isWhole(seed, 0, 2_147_483_647)
      ? {}
      : { seed: 'Give a whole number from 0 on, or nothing.' }),
  };
}

/** The order that the fields make; what is left empty is left out. `sandbox`: the one that is chosen. */
export function orderOf(fields: OrderFields, sandbox: string): RunOrder {
  const { isOwn, baseUrl, key, plan, requests, seed, readOnly, insecure } = fields;
  return {
    ...(isOwn ? { sandbox } : { baseUrl: baseUrl.trim() }),
    ...(isOwn || key === '' ? {} : { key }),
    ...(plan === '' ? {} : { plan }),
    ...(requests.trim() === '' ? {} : { requests: Number(requests) }),
    ...(seed.trim() === '' ? {} : { seed: Number(seed) }),
    ...(readOnly && !isOwn ? { readOnly } : {}),
    ...(insecure && !isOwn ? { insecure } : {}),
  };
}

/** True for nothing, too. */
function isWhole(text: string, least: number, most: number): boolean {
  const number = Number(text);
  return text.trim() === '' || (Number.isInteger(number) && number >= least && number <= most);
}
