import { X509Certificate } from 'node:crypto';
import type { Listening, Mock } from '../../../../mock/index.ts';
import { type VisibleText, showJson } from '../../../../view/visible.ts';
import type { ChosenAnswers } from './chosen-answers.ts';

/** What a mock that listens is, as a line of JSON for machines; without its line end. */
export function renderListening(
  { contract, keys }: Mock,
  { url, certificate, openAddress }: Pick<Listening, 'url' | 'certificate' | 'openAddress'>,
  { choices, like }: ChosenAnswers,
): VisibleText {
  const { title, version, source } = contract;
  const shown = certificate === undefined ? undefined : new X509Certificate(certificate);
  return showJson({
    kind: 'listening',
    at: new Date().toISOString(),
    url,
    page: `${new URL(url).origin}/_mock/`,
    openAddress,
    document: { title, version, source },
    keys: keys.map(({ key, plan, limits }) => ({
      key,
      plan: plan === '' ? undefined : plan,
      limits: Object.fromEntries(limits.map(({ window, limit }) => [window, limit])),
    })),
    choices,
    like,
    certificate: shown && { fingerprint: shown.fingerprint256, until: shown.validToDate },
  });
}
