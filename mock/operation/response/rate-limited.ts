import type { Choices } from '../../choice/choices.ts';
import type { OverLimit } from '../../rate-limit/meter.ts';
import type { RenderErrorBody } from './error-body.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The refusal of a request over the rate limit, or of a banned key; by default a 429. */
export function refuseOverLimit({ isBanned, isAnonymous, seconds, status }: OverLimit): Refusal {
  const whose = isAnonymous ? ' for requests without a valid key' : '';
  const message = isBanned
    ? `The API key is banned because it kept sending requests after ${status} responses. Try again in ${seconds} s.`
    : `The rate limit${whose} is exceeded. Try again in ${seconds} s.`;
  return refuse(isBanned ? 'banned' : 'rate_limited', message, {
    status,
    facts: { retryAfter: seconds },
  });
}

/** The body of a refusal over the rate limit, by the choice about `rate-limit-body`. */
export function compileRateLimitedBody(
  choices: Choices,
  renderErrorBody: RenderErrorBody,
): RenderErrorBody {
  switch (choices.choose('rate-limit-body').id) {
    case 'empty':
      return () => ({ text: '', mediaType: '' });
    case 'text':
      return (_operation, _status, _reason, message) => ({
        text: message,
        mediaType: 'text/plain; charset=utf-8',
      });
    default:
      return renderErrorBody;
  }
}
