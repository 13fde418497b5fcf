import { listKinds } from './kind.ts';
import type { Spoil } from './listener.ts';
import { renderWhole, withFields } from './message.ts';

/** Fields with values that no client expects, and statuses that stand for something else. */
export const fieldKinds = listKinds({
  'retry-after-huge': limited('9'.repeat(40)),
  'retry-after-negative': limited('-1'),
  'retry-after-far': limited('Fri, 31 Dec 9999 23:59:59 GMT'),
  'retry-after-garbage': limited('soon\x1b[31m'),
  'retry-after-in-a-day': limited('86400'),
  'limit-huge': field('X-RateLimit-Limit', '9'.repeat(400)),
  'limit-fraction': field('X-RateLimit-Limit', '1.5'),
  'limit-garbage': field('X-RateLimit-Limit', '\x9b31m; DROP'),
  'remaining-negative': field('X-RateLimit-Remaining', '-9'),
  'remaining-not-a-number': field('X-RateLimit-Remaining', 'NaN'),
  'reset-huge': field('X-RateLimit-Reset', '1e400'),
  'reset-garbage': field('X-RateLimit-Reset', '{{constructor}}'),
  'quota-of-20-kb': field('X-RateLimit-Limit', '1, '.repeat(7_000)),
  'redirect-forever': redirect('/v1/pets'),
  'redirect-away': redirect('http://169.254.169.254/latest/meta-data/'),
  'redirect-to-file': redirect('file:///etc/passwd'),
  'redirect-with-escapes': redirect('/\x9b2J\x1b]0;title\x07'),
  'server-error': status(500),
  teapot: status(418),
  'unauthorised-always': status(401),
  'not-found-always': status(404),
  'no-content-always': status(204),
  'not-modified-always': status(304),
  'partial-content': status(206),
});

/** Fields that nobody forbids, however odd: a target that sends them may conform. */
export const oddFieldKinds = listKinds({
  'date-absurd': field('Date', 'Thu, 99 Foo 99999 99:99:99 XYZ'),
  'date-of-garbage': field('Date', '\x9b31m'),
  'link-absurd': field('Link', `<${'a'.repeat(20_000)}>; rel="prev"`),
  'link-unclosed': field('Link', '<http://[; rel='),
  'etag-absurd': field('ETag', `W/"${'e'.repeat(20_000)}`),
  'location-absurd': field('Location', 'http://[::1'),
  'cookies-absurd': field('Set-Cookie', '=; ;;; Expires=never; Max-Age=-1e999'),
  'proto-field': field('__proto__', 'a'),
  'constructor-field': field('constructor', 'a'),
  refresh: field('Refresh', '0; url=http://169.254.169.254/'),
  'alt-svc': field('Alt-Svc', 'h3=":443"; ma=99999999999'),
  'strict-transport': field('Strict-Transport-Security', 'max-age=1e99; includeSubDomains'),
  'field-bytes': field('X-Odd', '\x80\x9b\xff'),
  'content-encoding-unknown': field('Content-Encoding', 'utf-8'),
  'content-language-long': field('Content-Language', 'en,'.repeat(5_000)),
});

/** A window that ends in the year 5138. */
export const doubtfulFieldKinds = listKinds({
  'reset-far': field('X-RateLimit-Reset', '99999999999999'),
});

function field(name: string, value: string): Spoil {
  return (message) => renderWhole(withFields(message, [name, value]));
}

function status(code: number): Spoil {
  return (message) => renderWhole({ ...message, status: code });
}

function limited(retryAfter: string): Spoil {
  return (message) =>
    renderWhole({ ...withFields(message, ['Retry-After', retryAfter]), status: 429 });
}

function redirect(to: string): Spoil {
  return (message) => renderWhole({ ...withFields(message, ['Location', to]), status: 302 });
}
