import { joinWithin } from '../../http/field.ts';
import type { SecurityAlternative, SecurityScheme } from '../../../contract/openapi/credential.ts';

/** The credentials that are wanted; `wrong` says what is wrong with the one that was sent. */
export interface Challenge {
  readonly security: readonly SecurityAlternative[];
  readonly wrong?: string | undefined;
}

/** `WWW-Authenticate`: a challenge for each scheme (RFC 9110 section 11.6.1); a bearer's for none. */
export function renderChallenges({ security, wrong }: Challenge, realm: string): string {
  const challenges = security
    .flat()
    .flatMap((scheme) => renderChallenge(scheme, realm, wrong) ?? []);
  const usual = renderChallenge({ kind: 'bearer', pointer: '' }, realm, wrong) ?? '';
  return challenges.length === 0 ? usual : joinWithin([...new Set(challenges)]) || usual;
}

function renderChallenge(
  scheme: SecurityScheme,
  realm: string,
  wrong: string | undefined,
): string | undefined {
  const parameters = [`realm=${quoted(realm)}`];
  // RFC 6750 section 3.
  const fault =
    wrong === undefined ? [] : ['error="invalid_token"', `error_description=${quoted(wrong)}`];
  switch (scheme.kind) {
    case 'bearer':
      return render('Bearer', [...parameters, ...fault]);
    case 'api-key': {
      const place = [`in="${scheme.in}"`, `name=${quoted(scheme.name)}`];
      return render('ApiKey', [...parameters, ...place, ...fault]);
    }
    case 'basic':
      return render('Basic', [...parameters, 'charset="UTF-8"']);
    case 'http':
      return render(
        scheme.scheme.replace(/[^\w!#$%&'*+.^`|~-]/g, '-'),
        scheme.scheme === 'digest' ? [...parameters, 'nonce="0"', 'qop="auth"'] : parameters,
      );
    case 'mutual-tls':
    default:
      return undefined;
  }
}

function render(scheme: string, parameters: readonly string[]): string {
  return `${scheme} ${parameters.join(', ')}`;
}

function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7E]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
