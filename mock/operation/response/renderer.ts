import type { RenderErrorBody } from './error-body.ts';
import type { MockResponse } from '../../http/message.ts';
import { renderHttpDate } from '../../http/date.ts';
import type { Outcome } from './outcome.ts';

/** What the renderer takes from an endpoint. */
export interface RenderedEndpoint {
  /** Media type of its successful responses. */
  readonly mediaType: string;
  /** Sent with every response: name, value, name, value. */
  readonly headers: readonly string[];
}

/**
 * Dresses what came of a request with the headers and, where it was refused, the body that every
 * answer has.
 */
export interface ResponseRenderer {
  /** `rateHeaders`: name, value, name, value. */
  render(
    endpoint: RenderedEndpoint,
    outcome: Outcome,
    rateHeaders: readonly string[],
    now: number,
  ): MockResponse;
}

/** A wardrobe for one mock. `limitBody` is the choice about `rate-limit-body`. */
export function createResponseRenderer(
  renderErrorBody: RenderErrorBody,
  limitBody: string,
): ResponseRenderer {
  const renderDate = createDates();
  return {
    render(endpoint, outcome, rateHeaders, now) {
      const { text, mediaType } = contentOf(endpoint, outcome, renderErrorBody, limitBody);
      const headers = [
        'Date',
        renderDate(now),
        ...endpoint.headers,
        ...outcome.headers,
        ...rateHeaders,
      ];
      if (text !== '') headers.push('Content-Type', mediaType);
      return { status: outcome.status, headers, body: text };
    },
  };
}

interface Content {
  readonly text: string;
  readonly mediaType: string;
}

function contentOf(
  { mediaType }: RenderedEndpoint,
  outcome: Outcome,
  renderErrorBody: RenderErrorBody,
  limitBody: string,
): Content {
  if (outcome.kind === 'success')
    return { text: outcome.body, mediaType: outcome.mediaType ?? mediaType };
  const { status, reason, message } = outcome;
  const isOverLimit = reason === 'rate_limited' || reason === 'banned';
  if (isOverLimit && limitBody === 'empty') return { text: '', mediaType };
  if (isOverLimit && limitBody === 'text')
    return { text: message, mediaType: 'text/plain; charset=utf-8' };
  return renderErrorBody(status, reason, message);
}

/** Renders dates, each second only once: most answers share the second of the one before. */
function createDates(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const current = Math.floor(now / 1000);
    if (current !== second) text = renderHttpDate(now);
    second = current;
    return text;
  };
}
